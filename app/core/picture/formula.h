// The index of an access as a formula with a lane's numbers in it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/picture/picture.h"
#include "lanescope/message.h"

namespace lanescope::app {

/// `text()` reads "out[to]: to = ix*ny + iy = 37*1024 + 5 = 37893".
struct Formula {
  /// As in the source: "out[to]"; may be empty
  std::string access;
  /// Equal expressions, from the source's to the number; {"to", "ix*ny + iy", "37*1024 + 5",
  /// "37893"}.
  std::vector<std::string> equals;
  /// How a subscript's variables came about: "icol = bidx % blockDim.y = 37 % 8 = 5".
  std::vector<std::string> where;
  /// Index from the start of the array or buffer, of the actual address
  std::uint64_t element = 0;
  /// What holds it and where: "tile[5][3]", "out[37893]"; empty if unknown
  std::string place;
  /// The place is elsewhere than the expressions say, and is told
  bool elsewhere = false;
  /// Of an access without a text, else 0
  std::uint32_t line = 0;
  [[nodiscard]] Message told() const;
  [[nodiscard]] std::string text() const { return told().english(); }
};

/// Nullopt unless `step` of `warp` is an access that `lane` takes part in.
std::optional<Formula> formula_of(const Picture& picture, std::uint32_t warp, std::size_t step,
                                  int lane);

/// `expression` with every identifier (and member, "threadIdx.x") that is known for the lane at the
/// step replaced by its value; what is unknown stays as it is.
std::string substitute(const Picture& picture, std::uint32_t warp, std::size_t step, int lane,
                       std::string_view expression);

}  // namespace lanescope::app
