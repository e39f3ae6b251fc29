// CUDA events around launches that find nothing of theirs in the L2.
#pragma once

#include <functional>
#include <optional>

#include "gpu/launch/launch.h"

namespace lanescope::gpu {

class Stopwatch {
 public:
  /// `sets` of buffers take turns. When together they are too small to push each other out of the
  /// L2, it is overwritten between repetitions.
  Stopwatch(Device& device, const BufferSets& sets, int repetitions);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  /// Launches on a set; returns what the launch call said.
  using LaunchOn = std::function<CuResult(int set)>;
  /// Warms up, then times. nullopt: `failure` says why.
  std::optional<app::Spread> time(const LaunchOn& launch,
                                  const std::function<void(double)>& progress);
  CuResult failure = kSuccess;

 private:
  std::optional<double> repetition(const LaunchOn& launch, int launches);
  bool ok(CuResult code) {
    if (code != kSuccess) failure = code;
    return code == kSuccess;
  }

  Device& device_;
  const BufferSets& sets_;
  int repetitions_, next_ = 0;
  CuEvent begin_ = nullptr, end_ = nullptr;
  std::uint64_t flush_bytes_ = 0;
  Memory flush_;
};

}  // namespace lanescope::gpu
