// How many blocks of a launch are resident on a multiprocessor at once, by shared memory and by
// threads. Registers, which only the GPU's own compiler knows, may lower it further.
#pragma once

#include <cstdint>

#include "lanescope/device.h"

namespace lanescope {

enum class OccupancyLimit : std::uint8_t { threads, blocks, shared };

struct Occupancy {
  /// Resident on a multiprocessor
  std::uint32_t blocks = 0;
  /// Of those blocks
  std::uint32_t warps = 0;
  std::uint32_t most_warps = 0;
  /// What is used up first
  OccupancyLimit limit = OccupancyLimit::threads;
  [[nodiscard]] double ratio() const {
    return most_warps == 0 ? 0.0 : static_cast<double>(warps) / most_warps;
  }
};

/// `shared_bytes`: static and dynamic, of one block. The block must be one that can be launched.
Occupancy occupancy(const DevicePreset& device, Dim3 block, std::uint64_t shared_bytes);

}  // namespace lanescope
