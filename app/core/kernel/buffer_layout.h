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
  /// Of what the pointer points at, to the end
  std::uint64_t base = 0, bytes = 0;
  std::vector<std::uint64_t> dims;
  /// What the kernel takes as one element, in scalars, and its name: 4 and "float4"
  std::uint32_t components = 1;
  std::string type;
  [[nodiscard]] std::uint64_t rows() const { return dims.size() > 1 ? dims[0] : 1; }
  [[nodiscard]] std::uint64_t cols() const { return dims.empty() ? 0 : dims.back(); }
};

}  // namespace lanescope::app
