// The columns of a buffer, read off the kernel's own index arithmetic: in[y * width + x] says that a row
// of `in` has `width` elements. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "lanescope/program.h"
#include "lanescope/run.h"

namespace lanescope::app {

/// What names in the kernel's text stand for: integer arguments of the launch, macros, constants.
using KnownValues = std::map<std::string, std::uint64_t>;
/// Of the launch's integer arguments, of the macros, and of `#define` and `const` in the text.
KnownValues known_values(const KernelInfo& kernel, const Launch& launch,
                         const std::map<std::string, std::string>& macros, const std::string& text);

/// The pitch of an index such as "y * width + x" or "(row) * N + col", in elements; 0 where it has none
/// whose value is known. Of several, that of the rows: of a name rather than of a number, and the
/// smallest.
std::uint64_t pitch_of(const std::string& index, const KnownValues& values);

/// By the parameter that points to it: what most of its accesses say. One on which they are divided in
/// equal parts has none, and neither has one whose accesses are not told by the text.
std::map<std::string, std::uint64_t> pitches_of(const KernelInfo& kernel, const std::string& text,
                                                const KnownValues& values);

}  // namespace lanescope::app
