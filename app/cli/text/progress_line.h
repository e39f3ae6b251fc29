// A bar on a terminal while a grid runs; gone when it is done.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>

namespace lanescope::cli {

class ProgressBar {
 public:
  ProgressBar(std::ostream& out, bool enabled) : out_(out), enabled_(enabled) {}
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Empty when not enabled. May be called from any thread.
  std::function<void(std::uint64_t done, std::uint64_t all)> callback();

 private:
  void show(std::uint64_t done, std::uint64_t all);

  std::ostream& out_;
  bool enabled_, shown_ = false;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
};

}  // namespace lanescope::cli
