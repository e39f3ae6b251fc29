// What an expression of the source is worth in each lane of a warp at a step: for hovering the
// text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/picture/picture.h"

namespace lanescope::app {

struct LaneValues {
  std::string expression;
  /// Lanes that have a value
  LaneMask known = 0;
  std::array<std::string, kLanes> text;
  /// "5" if all lanes agree, "0, 1, 2 … 31" for a progression, else "".
  std::string summary;
  /// All known lanes agree
  bool same = false;
};

/// The name or member ("threadIdx.x") at a column of a line, counted from 0; "" for none. Nothing
/// in comments and strings.
std::string expression_at(std::string_view line, std::size_t column);

/// Before `step` of `warp` has executed. nullopt: no lane has a value, as of a variable that is set
/// later.
std::optional<LaneValues> lane_values(const Picture& picture, std::uint32_t warp, std::size_t step,
                                      const std::string& expression);

/// The access whose text covers the column of the line (both counted as the compiler does, from 1),
/// the shortest if several do; -1 for none.
int access_at(const KernelInfo& kernel, std::string_view line_text, std::uint32_t line,
              std::uint32_t column);

}  // namespace lanescope::app
