#include "program/process/progress_teller.h"

#include <algorithm>
#include <utility>

namespace lanescope::app {

ProgressTeller::ProgressTeller(std::function<void(const LaunchProgress&)> tell,
                               std::chrono::milliseconds every)
    : tell_(std::move(tell)), every_(every), thread_([this] { work(); }) {}

ProgressTeller::~ProgressTeller() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ProgressTeller::begin(const LaunchProgress& launch) {
  const std::lock_guard lock(mutex_);
  now_ = launch;
  begin_ = std::chrono::steady_clock::now();
  runs_ = true;
}

void ProgressTeller::reached(std::uint64_t blocks) {
  const std::lock_guard lock(mutex_);
  now_.blocks = std::max(now_.blocks, blocks);
}

void ProgressTeller::end() {
  const std::lock_guard lock(mutex_);
  runs_ = false;
}

void ProgressTeller::work() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, every_, [this] { return over_; })) {
    const auto passed = std::chrono::steady_clock::now() - begin_;
    if (!runs_ || passed < every_) continue;
    now_.ms = std::chrono::duration<double, std::milli>(passed).count();
    // Under the lock, so that nothing is told of a launch that has ended.
    tell_(now_);
  }
}

}  // namespace lanescope::app
