// How far the launch that runs has come, told a few times a second: also while no block of it ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "core/program/call_record.h"

namespace lanescope::app {

class ProgressTeller {
 public:
  /// `every`: between two words about a launch, and before the first, so that short ones have none.
  explicit ProgressTeller(std::function<void(const LaunchProgress&)> tell,
                          std::chrono::milliseconds every = std::chrono::milliseconds(200));
  ~ProgressTeller();
  ProgressTeller(const ProgressTeller&) = delete;
  ProgressTeller& operator=(const ProgressTeller&) = delete;

  /// Of a launch of which nothing has been done.
  void begin(const LaunchProgress& launch);
  /// From any thread. What comes late counts for nothing.
  void reached(std::uint64_t blocks);
  void end();

 private:
  void work();

  const std::function<void(const LaunchProgress&)> tell_;
  const std::chrono::milliseconds every_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool runs_ = false, over_ = false;
  LaunchProgress now_;
  std::chrono::steady_clock::time_point begin_{};
  /// Last, so that it finds everything
  std::thread thread_;
};

}  // namespace lanescope::app
