// The buffers of a launch as matrices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lanescope/types.h"

namespace lanescope::app {

/// A global buffer with the extents the front matter gives it. `dims` = {rows, cols} or {count}.
struct BufferLayout {
  std::string name;
  ScalarType element = ScalarType::f32;
  std::uint32_t element_bytes = 4;
  std::uint64_t base = 0, bytes = 0;
  std::vector<std::uint64_t> dims;
  [[nodiscard]] std::uint64_t rows() const { return dims.size() > 1 ? dims[0] : 1; }
  [[nodiscard]] std::uint64_t cols() const { return dims.empty() ? 0 : dims.back(); }
};

}  // namespace lanescope::app
