#include "gpu/launch/launch_timing.h"

#include <algorithm>

namespace lanescope::gpu {

namespace {

constexpr int kWarmUps = 3;
/// A repetition takes at least this: events tick about every 0.5 µs
constexpr double kShortestMs = 0.2;
constexpr int kMostLaunches = 20;
constexpr std::uint64_t kUnknownL2 = 64ull << 20;

}  // namespace

Stopwatch::Stopwatch(Device& device, const BufferSets& sets, int repetitions)
    : device_(device), sets_(sets), repetitions_(std::max(repetitions, 1)) {
  const DriverApi& driver = device.driver();
  ok(driver.event_create(&begin_, 0));
  ok(driver.event_create(&end_, 0));
  const auto& description = device.open().device;
  const std::uint64_t l2 =
      description && description->l2_bytes > 0 ? description->l2_bytes : kUnknownL2;
  const std::uint64_t all = sets.bytes_of_set() * static_cast<std::uint64_t>(sets.count());
  if (all >= 3 * l2) return;
  flush_bytes_ = 2 * l2;
  flush_ = Memory(driver, flush_bytes_);
  if (flush_.code != kSuccess) flush_bytes_ = 0;
}

Stopwatch::~Stopwatch() {
  if (begin_) device_.driver().event_destroy(begin_);
  if (end_) device_.driver().event_destroy(end_);
}

std::optional<double> Stopwatch::repetition(const LaunchOn& launch, int launches) {
  const DriverApi& driver = device_.driver();
  if (flush_bytes_ > 0 && !ok(driver.memory_set_bytes(flush_.pointer, 0, flush_bytes_)))
    return std::nullopt;
  if (!ok(driver.event_record(begin_, nullptr))) return std::nullopt;
  for (int i = 0; i < launches; ++i) {
    if (!ok(launch(next_))) return std::nullopt;
    next_ = (next_ + 1) % sets_.count();
  }
  float milliseconds = 0;
  if (!ok(driver.event_record(end_, nullptr)) || !ok(driver.event_synchronize(end_)) ||
      !ok(driver.event_elapsed(&milliseconds, begin_, end_)))
    return std::nullopt;
  return static_cast<double>(milliseconds) / launches;
}

std::optional<app::Spread> Stopwatch::time(const LaunchOn& launch,
                                           const std::function<void(double)>& progress) {
  if (failure != kSuccess) return std::nullopt;
  double once = 0;
  for (int i = 0; i < kWarmUps; ++i) {
    const auto taken = repetition(launch, 1);
    if (!taken) return std::nullopt;
    once = *taken;
  }
  // Launches back to back find each other's data in the L2 unless the sets take turns.
  const int most = flush_bytes_ > 0 ? 1 : kMostLaunches;
  const int launches = once > 0 ? std::clamp(static_cast<int>(kShortestMs / once + 1), 1, most) : 1;
  std::vector<double> samples;
  for (int i = 0; i < repetitions_; ++i) {
    const auto taken = repetition(launch, launches);
    if (!taken) return std::nullopt;
    samples.push_back(*taken);
    if (progress) progress(static_cast<double>(i + 1) / repetitions_);
  }
  return app::spread_of(std::move(samples), launches);
}

}  // namespace lanescope::gpu
