#include "core/run/patience.h"

#include <algorithm>

namespace lanescope::app {
namespace {

/// Before it, a pace says nothing.
constexpr double kFirstLookS = 2;

}  // namespace

Patience::Patience(const RunControl& control, double most_seconds)
    : asked_(control), most_seconds_(most_seconds),
      outer_(control.stop, [this] { stop_.request_stop(); }) {}

RunControl Patience::control() {
  RunControl control = asked_;
  if (most_seconds_ <= 0) return control;
  control.stop = stop_.get_token();
  control.progress = [this](std::uint64_t done, std::uint64_t all) {
    if (asked_.progress) asked_.progress(done, all);
    judge(done, all);
  };
  return control;
}

void Patience::judge(std::uint64_t done, std::uint64_t all) {
  const std::lock_guard lock(mutex_);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun_;
  if (done == 0 || taken.count() < std::min(kFirstLookS, most_seconds_) || would_take_s_ > 0)
    return;
  const double whole = taken.count() * static_cast<double>(all) / static_cast<double>(done);
  if (whole <= most_seconds_) return;
  would_take_s_ = whole;
  stop_.request_stop();
}

}  // namespace lanescope::app
