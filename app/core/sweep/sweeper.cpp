#include "core/sweep/sweeper.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

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
  if (settings.shared_bytes) key += fmt::format("s{}", *settings.shared_bytes);
  return key;
}

}  // namespace

std::vector<std::string> Sweeper::keys_of(const SweepPlan& plan) {
  const std::string& text = plan.base.text;
  const auto of_text = std::find(texts_.begin(), texts_.end(), text);
  const std::string prefix = fmt::format("{}\n", of_text - texts_.begin());
  if (of_text == texts_.end()) texts_.push_back(text);
  std::vector<std::string> keys(plan.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = prefix + key_of(plan, i);
  return keys;
}

SweepPtr Sweeper::sweep(const SweepRequest& request, const std::stop_token& stop,
                        const std::function<void(SweepPtr)>& publish) {
  const SweepPlan& plan = *request.plan;
  if (known_.size() > kMostKnown || texts_.size() > kMostTexts) known_.clear(), texts_.clear();
  const std::vector<std::string> keys = keys_of(plan);
  std::vector<const SweepCell*> known(plan.size(), nullptr);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (const auto found = known_.find(keys[i]); found != known_.end()) known[i] = &found->second;

  Sweep shown;
  shown.plan = plan;
  shown.cells.resize(plan.size());
  shown.running = true;
  shown.elsewhere = recorded_elsewhere(plan, *bundled_recordings());
  const Clock::time_point start = Clock::now();
  Clock::time_point last = start - kPause;
  SweepOptions options;
  options.stop = stop;
  options.threads = std::max(2u, std::thread::hardware_concurrency()) - 1;  // one for the window
  options.first = request.first;
  options.recordings = bundled_recordings();
  options.known = [&](std::size_t cell) { return known[cell]; };
  options.counted = [&](std::size_t index, const SweepCell& cell) {
    if (!known[index]) known_[keys[index]] = cell, ++shown.computed;
    shown.cells[index] = cell;
    ++shown.done;
    const Clock::time_point now = Clock::now();
    if (now - last < kPause) return;
    last = now;
    shown.seconds = std::chrono::duration<double>(now - start).count();
    publish(std::make_shared<const Sweep>(shown));
  };
  publish(std::make_shared<const Sweep>(shown));
  Sweep done = run_sweep(plan, options);
  done.elsewhere = shown.elsewhere;
  return std::make_shared<const Sweep>(std::move(done));
}

}  // namespace lanescope::app
