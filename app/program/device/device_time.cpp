#include "program/device/device_time.h"

#include <algorithm>
#include <cmath>

namespace lanescope::app {
namespace {

// Read on an H200 (driver 580.159.04, CUDA 13.0) between events, medians: one launch of nothing takes 4.8 to 5.8 us, ten
// of them 37 to 42; a copy of 4 bytes to or from pinned memory 3.5 to 4.2, pageable memory 7 to 10.
constexpr double kLaunchNs = 4000, kCopyNs = 4000;
// Likewise: 55.4 bytes a nanosecond either way for 256 MB of pinned memory. From pageable memory it is 7 to 15 there, of
// which nothing is known here: such copies are told too short.
constexpr double kLinkBytesPerNs = 55;
// Likewise: 256 MB within the device in 132 us, both ways counted, of 4.8 TB/s.
constexpr double kMemoryPart = 0.85;
// Guesses: 64 bytes a clock from the cache for each multiprocessor; about 500 clocks for a warp's load from memory, of
// which several are on their way at once. ptxas makes a twentieth to two instructions of one that is executed here, so
// that these say little: a quarter of a clock each was fitted to three products of matrices that were timed on an H200.
constexpr double kCacheBytes = 64, kLoadClocks = 500, kLoadsAtOnce = 4, kOperationClocks = 0.25;

double memory_bytes_per_ns(const DeviceFacts& facts) {
  // Two transfers a clock.
  return kMemoryPart * 2 * facts.memory_clock_khz * 1e-6 * facts.bus_bits / 8;
}

/// Blocks that the device holds at a time.
double places(const DeviceFacts& facts, const LaunchWork& work) {
  return static_cast<double>(facts.multiprocessors) *
         static_cast<double>(std::max<std::uint64_t>(work.resident_blocks, 1));
}

}  // namespace

double busy_part(const DeviceFacts& facts, const LaunchWork& work) {
  return std::clamp(static_cast<double>(work.blocks) / places(facts, work), 1e-3, 1.0);
}

std::uint64_t launch_ns(const DevicePreset& device, const DeviceFacts& facts,
                        const LaunchWork& work) {
  const double clock = facts.clock_khz * 1e-6;  // clocks a nanosecond
  const double used =
      std::clamp<double>(static_cast<double>(work.blocks), 1, facts.multiprocessors);
  const double bytes = 32.0 * static_cast<double>(work.sectors);
  const double from_memory =
      std::min(bytes, 2.0 * static_cast<double>(work.bytes_in_reach)) / memory_bytes_per_ns(facts);
  const double from_cache = bytes / (used * kCacheBytes * clock);
  const double shared = static_cast<double>(work.wavefronts) / (used * clock);
  const double schedulers = device.compute_major == 6 && device.compute_minor == 0 ? 2 : 4;
  const double issued =
      kOperationClocks * static_cast<double>(work.warp_instructions) / (used * schedulers * clock);
  const double warps = std::max(1.0, static_cast<double>(work.blocks * work.warps_per_block));
  const double rounds = std::ceil(static_cast<double>(work.blocks) / places(facts, work));
  const double one_warp = (static_cast<double>(work.warp_instructions) * kOperationClocks +
                           static_cast<double>(work.global_requests) * kLoadClocks / kLoadsAtOnce) /
                          warps / clock;
  return static_cast<std::uint64_t>(
      kLaunchNs + std::max({from_memory, from_cache, shared, issued, one_warp * rounds}));
}

std::uint64_t copy_ns(const DeviceFacts& facts, CopyWay way, std::size_t bytes) {
  const auto size = static_cast<double>(bytes);
  const bool over_the_link = way == CopyWay::host_to_device || way == CopyWay::device_to_host;
  const double moved = way == CopyWay::device_to_device ? 2 * size : size;
  return static_cast<std::uint64_t>(
      (over_the_link ? kCopyNs : kLaunchNs) +
      (over_the_link ? size / kLinkBytesPerNs : moved / memory_bytes_per_ns(facts)));
}

}  // namespace lanescope::app
