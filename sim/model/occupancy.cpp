#include "lanescope/occupancy.h"

#include <algorithm>

namespace lanescope {

namespace {

// Shared memory is handed out in units. Source: CUDA Occupancy Calculator, "shared memory
// allocation unit size": 256 bytes for compute capability 7.x, 128 from 8.0 on.
std::uint64_t shared_unit(const DevicePreset& device) {
  return device.compute_major >= 8 ? 128 : 256;
}

// What the system takes of every block, 1 KiB from compute capability 8.0 on. Source: CUDA C++
// Programming Guide, compute capability 8.x and 9.0, "Shared Memory": it is why a block can have
// less than the multiprocessor has.
std::uint64_t reserved(const DevicePreset& device) {
  return device.shared_bytes_per_sm - device.optin_shared_bytes;
}

}  // namespace

Occupancy occupancy(const DevicePreset& device, Dim3 block, std::uint64_t shared_bytes) {
  Occupancy result;
  result.most_warps = device.max_threads_per_sm / kLanes;
  const std::uint64_t warps = (block.count() + kLanes - 1) / kLanes;
  if (warps == 0) return result;
  const std::uint64_t unit = shared_unit(device);
  const std::uint64_t taken = (shared_bytes + reserved(device) + unit - 1) / unit * unit;
  const std::uint64_t by_threads = result.most_warps / warps;
  const std::uint64_t by_blocks = device.max_blocks_per_sm;
  const std::uint64_t by_shared = taken == 0 ? by_blocks : device.shared_bytes_per_sm / taken;
  const std::uint64_t blocks = std::min({by_threads, by_blocks, by_shared});
  result.blocks = static_cast<std::uint32_t>(blocks);
  result.warps = static_cast<std::uint32_t>(blocks * warps);
  result.limit = blocks == by_threads  ? OccupancyLimit::threads
                 : blocks == by_blocks ? OccupancyLimit::blocks
                                       : OccupancyLimit::shared;
  return result;
}

}  // namespace lanescope
