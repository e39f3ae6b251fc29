// Work that nobody has asked for, and how long one waits for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>

#include "lanescope/run.h"

namespace lanescope::app {

/// Longer work than this is left to who asks for it.
inline constexpr double kMostUnaskedS = 60;

/// Ends a run that would take too long.
class Patience {
 public:
  /// `most_seconds`: 0 waits for ever. `control` outlives this.
  Patience(const RunControl& control, double most_seconds);
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  /// For the run, in place of the one that it was made of
  RunControl control();
  /// Above 0: the run was ended; it would have taken about so long
  [[nodiscard]] double would_take_s() const { return would_take_s_; }

 private:
  void judge(std::uint64_t done, std::uint64_t all);

  const RunControl& asked_;
  const double most_seconds_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> outer_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  double would_take_s_ = 0;
};

}  // namespace lanescope::app
