// Changes of a kernel's text that leave its meaning: what is written is found by words and brackets, and
// whoever makes one runs it before it is believed. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/swizzle/tile_traffic.h"

namespace lanescope::app {

/// The text with `padding` added to the last extent of `array`'s `__shared__` declaration, and the
/// new declarator; nullopt if it has fewer than two extents or is not found.
struct PaddedText {
  std::string text, declarator;
};
std::optional<PaddedText> pad_declaration(const std::string& text, const std::string& array,
                                          int padding);

/// threadIdx.x and threadIdx.y in each other's place; nullopt if the text has not both.
std::optional<std::string> swap_threads(const std::string& text);

/// Every reference to a `__shared__` array with its last subscript swizzled by the one before. nullopt
/// where one has other than `extents` subscripts, as where a row is handed on, or a row's subscript may
/// not be computed twice, or the name is declared more than once.
std::optional<std::string> swizzle_subscripts(const std::string& text, const std::string& array,
                                              std::size_t extents, const RowSwizzle& rows);

}  // namespace lanescope::app
