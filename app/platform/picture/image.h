// A picture in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::app {

/// Rows from top to bottom, four bytes a pixel: red, green, blue, alpha.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;

  [[nodiscard]] bool empty() const { return rgba.empty(); }
  /// The four bytes of one pixel; x and y must lie inside.
  [[nodiscard]] const std::uint8_t* at(int x, int y) const {
    return rgba.data() + 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x));
  }
};

}  // namespace lanescope::app
