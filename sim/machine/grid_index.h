// Blocks of a grid, numbered as the hardware numbers them: x fastest.
#pragma once

#include <cstdint>

#include "lanescope/types.h"

namespace lanescope {

/// The position of a block in the whole grid.
inline std::uint64_t index_of(Dim3 block, Dim3 grid) {
  return (std::uint64_t{block.z} * grid.y + block.y) * grid.x + block.x;
}

inline Dim3 block_of_index(std::uint64_t index, Dim3 grid) {
  return {static_cast<std::uint32_t>(index % grid.x),
          static_cast<std::uint32_t>(index / grid.x % grid.y),
          static_cast<std::uint32_t>(index / grid.x / grid.y)};
}

}  // namespace lanescope
