#include "program/device/timeline.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lanescope::app {
namespace {

std::uint64_t wall_clock() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

std::function<std::uint64_t()>& clock_hook() {
  static auto* hook = new std::function<std::uint64_t()>;
  return *hook;
}

}  // namespace

std::uint64_t event_clock() { return clock_hook() ? clock_hook()() : wall_clock(); }
void set_event_clock(std::function<std::uint64_t()> nanoseconds) {
  clock_hook() = std::move(nanoseconds);
}

std::uint64_t DeviceTimeline::now() const {
  if (stops_ > 0) return stopped_at_;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(event_clock()) - behind_);
}

void DeviceTimeline::stop_clock() {
  const std::uint64_t time = now();
  if (stops_++ == 0) stopped_at_ = time;
}

void DeviceTimeline::start_clock() {
  if (--stops_ == 0) behind_ = static_cast<std::int64_t>(event_clock() - stopped_at_);
}

std::uint64_t DeviceTimeline::reached(std::uint64_t stream) const {
  std::uint64_t time = now();
  for (const auto& [other, done] : done_) {
    const bool waits = other == stream || (stream == 0 && !apart_.contains(other)) ||
                       (other == 0 && !apart_.contains(stream));
    if (waits) time = std::max(time, done);
  }
  return time;
}

void DeviceTimeline::queue(std::uint64_t stream, Engine engine, std::uint64_t ns, double part) {
  const std::uint64_t begin = std::max(reached(stream), free_[engine]);
  done_[stream] = begin + ns;
  free_[engine] = begin + static_cast<std::uint64_t>(static_cast<double>(ns) * part);
}

void DeviceTimeline::hold(std::uint64_t stream, std::uint64_t until) {
  done_[stream] = std::max(done_[stream], until);
}

void DeviceTimeline::wait() {
  const std::uint64_t before = now();
  std::uint64_t latest = before;
  for (const auto& [stream, done] : done_) latest = std::max(latest, done);
  stopped_at_ = latest;
  behind_ -= static_cast<std::int64_t>(latest - before);
}

}  // namespace lanescope::app
