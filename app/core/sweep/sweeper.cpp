#include "core/sweep/sweeper.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/text/text.h"

namespace lanescope::app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPause = std::chrono::milliseconds(40);  // between two publications
constexpr std::size_t kMostKnown = 20'000, kMostTexts = 64;

std::string dim_key(const std::optional<Dim3>& d) { return d ? dim3_text(*d) : "-"; }

// What a cell is, apart from the text.
std::string key_of(const SweepPlan& plan, std::size_t cell) {
  const Settings settings = plan.settings(cell);
  std::string key = (plan.bundled ? "b" : "") + settings.name + "\n" + settings.kernel + "\n";
  for (const auto& values : {plan.parameters(cell), plan.arguments(cell)}) {
    for (const auto& [name, value] : values) key += name + "=" + value + ";";
    key += '\n';
  }
  key += dim_key(settings.block) + dim_key(settings.grid);
  if (settings.shared_bytes) key += "s" + std::to_string(*settings.shared_bytes);
  return key;
}

}  // namespace

Sweeper::Sweeper(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { loop(); }) {}

Sweeper::~Sweeper() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    stop_.request_stop();
  }
  changed_.notify_all();
}

void Sweeper::submit(SweepRequest request) {
  {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
    stop_ = {};
    next_ = std::move(request);
    news_.reset();
    busy_ = true;
  }
  changed_.notify_all();
}

void Sweeper::cancel() {
  const std::lock_guard lock(mutex_);
  stop_.request_stop();
}

SweepPtr Sweeper::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, nullptr);
}

void Sweeper::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !busy_; });
}

bool Sweeper::busy() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

void Sweeper::loop() {
  while (true) {
    SweepRequest request;
    std::stop_token stop;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return quit_ || next_; });
      if (quit_) return;
      request = std::move(*next_);
      next_.reset();
      stop = stop_.get_token();
    }
    work(request, stop);
    {
      const std::lock_guard lock(mutex_);
      busy_ = next_.has_value();
    }
    changed_.notify_all();
    if (wake_) wake_();
  }
}

void Sweeper::work(const SweepRequest& request, const std::stop_token& stop) {
  const SweepPlan& plan = *request.plan;
  if (known_.size() > kMostKnown || texts_.size() > kMostTexts) known_.clear(), texts_.clear();
  const std::string& text = plan.base.text;
  const auto of_text = std::find(texts_.begin(), texts_.end(), text);
  const std::string prefix = std::to_string(of_text - texts_.begin()) + "\n";
  if (of_text == texts_.end()) texts_.push_back(text);
  std::vector<std::string> keys(plan.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = prefix + key_of(plan, i);
  std::vector<const SweepCell*> known(plan.size(), nullptr);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (const auto found = known_.find(keys[i]); found != known_.end()) known[i] = &found->second;

  Sweep shown;
  shown.plan = plan;
  shown.cells.resize(plan.size());
  shown.running = true;
  shown.elsewhere = recorded_elsewhere(plan, *bundled_times());
  const Clock::time_point start = Clock::now();
  Clock::time_point last = start - kPause;
  SweepOptions options;
  options.stop = stop;
  options.threads = std::max(2u, std::thread::hardware_concurrency()) - 1;  // one for the window
  options.first = request.first;
  options.times = bundled_times();
  options.known = [&](std::size_t cell) { return known[cell]; };
  options.counted = [&](std::size_t index, const SweepCell& cell) {
    if (!known[index]) known_[keys[index]] = cell, ++shown.computed;
    shown.cells[index] = cell;
    ++shown.done;
    const Clock::time_point now = Clock::now();
    if (now - last < kPause) return;
    last = now;
    shown.seconds = std::chrono::duration<double>(now - start).count();
    publish(shown);
  };
  publish(shown);
  Sweep done = run_sweep(plan, options);
  done.elsewhere = shown.elsewhere;
  publish(std::move(done));
}

void Sweeper::publish(Sweep sweep) {
  {
    const std::lock_guard lock(mutex_);
    if (next_) return;  // something newer is under way
    news_ = std::make_shared<const Sweep>(std::move(sweep));
  }
  if (wake_) wake_();
}

}  // namespace lanescope::app
