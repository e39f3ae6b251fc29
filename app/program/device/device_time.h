// How long a device takes for what it is asked, as far as counts tell.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/program/call_record.h"
#include "lanescope/device.h"
#include "program/device/device_table.h"

namespace lanescope::app {

/// What is counted of a launch.
struct LaunchWork {
  /// False: it has not run to its end, or not all of it was counted
  bool counted = false;
  std::uint64_t blocks = 0, warps_per_block = 0;
  /// Blocks that a multiprocessor holds at a time
  std::uint64_t resident_blocks = 1;
  /// Of all warps
  std::uint64_t warp_instructions = 0, global_requests = 0, sectors = 0, wavefronts = 0;
  /// Of memory that it may touch: what sectors beyond twice so much bring comes from the cache
  std::uint64_t bytes_in_reach = 0;
};

/// Nanoseconds from a launch's begin to its end: the slowest of memory, cache, shared memory and the schedulers, and
/// of one warp that waits for its loads. A rough estimate: of nine kernels that an H200 was timed with, two filters and a copy
/// were right to a factor of three, one was eight times too short, three products of matrices are what it was fitted to. Far
/// too short where many atomics meet at one address or memory is touched for the first time, of which it knows nothing.
std::uint64_t launch_ns(const DevicePreset& device, const DeviceFacts& facts,
                        const LaunchWork& work);
/// The part of the multiprocessors that it keeps busy, above 0 and at most 1.
double busy_part(const DeviceFacts& facts, const LaunchWork& work);
/// Of a copy, or (`CopyWay::none`) of a fill.
std::uint64_t copy_ns(const DeviceFacts& facts, CopyWay way, std::size_t bytes);

}  // namespace lanescope::app
