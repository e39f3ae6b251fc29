#include "core/sweep/sweep.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <mutex>
#include <thread>
#include <tuple>

#include "core/run/counters.h"
#include "core/run/prepare.h"
#include "core/run/whole_grid.h"
#include "core/text/messages.h"
#include "lanescope/device.h"

namespace lanescope::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kHottest = 32;

using Number = std::optional<double>;

Number whole(std::uint64_t count) { return static_cast<double>(count); }
Number one(const SweepCell&) { return 1.0; }

// A metric of a counted cell, all about it in one row; by SweepMetric.
struct Metric {
  std::string_view id;
  bool more_is_better;
  Number (*value)(const SweepCell&);
  /// What the number would be at best; null where it has no such bound but itself
  Number (*ideal)(const SweepCell&);
};

Number best_wavefronts(const SweepCell& c) { return whole(against_ideal(c.shared).ideal); }

constexpr std::array<Metric, kSweepMetrics.size()> kMetrics = {
    {{"wavefronts", false, [](const SweepCell& c) { return whole(c.shared.wavefronts); },
      best_wavefronts},
     {"conflicts", false, [](const SweepCell& c) { return whole(c.shared.conflicts); },
      best_wavefronts},
     {"sectors", false, [](const SweepCell& c) { return whole(c.global.sectors); },
      [](const SweepCell& c) { return whole(against_ideal(c.global).ideal); }},
     {"efficiency", true,
      [](const SweepCell& c) {
        return c.global.sectors > 0 ? Number(c.global.efficiency()) : std::nullopt;
      },
      one},
     {"shared-bytes", false, [](const SweepCell& c) { return whole(c.shared_bytes); }, nullptr},
     {"occupancy", true, [](const SweepCell& c) { return Number(c.occupancy.ratio()); }, one},
     {"time", false,
      [](const SweepCell& c) {
        return c.recorded ? Number(c.recorded->milliseconds) : std::nullopt;
      },
      nullptr}}};

const Metric& about(SweepMetric metric) { return kMetrics[static_cast<std::size_t>(metric)]; }

Message reason_of(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& d : diagnostics)
    if (d.severity == Severity::error)
      return d.line > 0 ? say::at_line(d.line, d.message) : d.message;
  return {};
}

void fail(SweepCell& cell, SweepCell::State state, std::vector<Diagnostic> diagnostics) {
  cell.state = state;
  cell.reason = reason_of(diagnostics);
  cell.diagnostics = std::move(diagnostics);
}

void count(SweepCell& cell, ReadyLaunch& ready, const SweepOptions& options) {
  const RunControl control{.stop = options.stop, .step_budget = options.step_budget};
  WholeGrid whole;
  if (options.check) {
    WholeGridOptions whole_options;
    whole_options.control = control;
    whole_options.threads = 1;
    whole_options.every_block = true;
    whole = run_whole_grid(ready, whole_options);
  } else {
    whole.run = ready.count({.checks = true, .threads = 1, .control = control});
    whole.diagnostics = whole.run.diagnostics;
  }
  if (options.stop.stop_requested()) return;
  cell.blocks = whole.run.coverage.blocks;
  cell.classes = whole.run.coverage.classes;
  cell.totals = totals_of(ready.prepared->kernel(), whole.run);
  cell.shared = shared_of(cell.totals);
  cell.global = global_of(cell.totals);
  cell.check = whole.check;
  if (has_errors(whole.diagnostics))
    return fail(cell, SweepCell::State::failed, std::move(whole.diagnostics));
  cell.state = SweepCell::State::counted;
}

// What a cell's number would be at best; for what has no such bound, the number itself.
double ideal_of(const SweepCell& cell, SweepMetric metric) {
  const Metric& m = about(metric);
  return *(m.ideal ? m.ideal : m.value)(cell);
}

// Of what is done once for every setting, the totals can be compared; where settings differ in how
// much is done, each is held against its own ideal.
bool same_work(const SweepPlan& plan) {
  return std::none_of(plan.axes.begin(), plan.axes.end(),
                      [](const SweepAxis& axis) { return axis.kind == SweepAxis::Kind::argument; });
}

// Less is better. Among equals, what else it costs.
auto rank(const SweepCell& cell, SweepMetric metric, bool own_ideal, std::size_t index) {
  double value = *metric_value(cell, metric);
  const double ideal = ideal_of(cell, metric);
  if (own_ideal && metric != SweepMetric::time && ideal > 0) value /= ideal;
  return std::tuple(more_is_better(metric) ? -value : value, cell.global.sectors,
                    cell.shared.wavefronts, cell.shared_bytes, index);
}

}  // namespace

std::string_view metric_id(SweepMetric metric) { return about(metric).id; }

std::optional<SweepMetric> metric_named(std::string_view id) {
  for (const SweepMetric metric : kSweepMetrics)
    if (metric_id(metric) == id) return metric;
  return std::nullopt;
}

bool more_is_better(SweepMetric metric) { return about(metric).more_is_better; }

std::optional<double> metric_value(const SweepCell& cell, SweepMetric metric) {
  return cell.counted() ? about(metric).value(cell) : std::nullopt;
}

SweepScale scale_of(const Sweep& sweep, SweepMetric metric) {
  SweepScale scale;
  scale.own_ideal = !same_work(sweep.plan);
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
    const SweepCell& cell = sweep.cells[i];
    if (!metric_value(cell, metric)) continue;
    const double ideal = ideal_of(cell, metric);
    const bool first = ++scale.values == 1;
    scale.ideal = first ? ideal : std::min(scale.ideal, ideal);
    if (first || rank(cell, metric, scale.own_ideal, i) <
                     rank(sweep.cells[*scale.best], metric, scale.own_ideal, *scale.best))
      scale.best = i;
  }
  if (!scale.best) return scale;
  const auto key = [&](const SweepCell& cell) {
    return std::get<0>(rank(cell, metric, scale.own_ideal, 0));
  };
  const double best = key(sweep.cells[*scale.best]);
  scale.as_good = static_cast<std::size_t>(
      std::count_if(sweep.cells.begin(), sweep.cells.end(), [&](const SweepCell& cell) {
        return metric_value(cell, metric) && key(cell) == best;
      }));
  return scale;
}

std::optional<double> sweep_heat(const SweepScale& scale, SweepMetric metric,
                                 const SweepCell& cell) {
  const auto number = metric_value(cell, metric);
  if (!number) return std::nullopt;
  const double ideal = scale.own_ideal ? ideal_of(cell, metric) : scale.ideal;
  if (more_is_better(metric)) return *number > 0 ? std::max(1.0, ideal / *number) : kHottest;
  const double value = metric == SweepMetric::conflicts ? *number + ideal : *number;
  if (!(ideal > 0)) return value > 0 ? kHottest : 1.0;
  return std::max(1.0, value / ideal);
}

SweepMetric suggested_metric(const Sweep& sweep) {
  const auto differs = [&](SweepMetric metric) {
    std::optional<double> seen;
    for (const SweepCell& cell : sweep.cells) {
      const auto value = metric_value(cell, metric);
      if (value && seen && *value != *seen) return true;
      if (value) seen = value;
    }
    return false;
  };
  const bool shared = std::any_of(sweep.cells.begin(), sweep.cells.end(), [](const SweepCell& c) {
    return c.counted() && c.shared.requests > 0;
  });
  if (shared && differs(SweepMetric::wavefronts)) return SweepMetric::wavefronts;
  return differs(SweepMetric::sectors) || !shared ? SweepMetric::sectors : SweepMetric::wavefronts;
}

SweepCell count_cell(const Settings& settings, bool bundled, const SweepOptions& options) {
  SweepCell cell;
  if (options.stop.stop_requested()) return cell;
  PrepareResult result = prepare(settings, options.stop, device_presets().front(),
                                 {.step_budget = options.step_budget});
  if (!result.ready) {
    if (!options.stop.stop_requested())
      fail(cell, SweepCell::State::impossible, std::move(result.diagnostics));
    return cell;
  }
  const PreparedLaunch& prepared = *result.ready->prepared;
  cell.grid = prepared.launch.grid, cell.block = prepared.launch.block;
  cell.shared_bytes = prepared.shared_bytes();
  cell.occupancy = occupancy(device_presets().front(), cell.block, cell.shared_bytes);
  count(cell, *result.ready, options);
  const RecordedTiming* time =
      bundled && options.recordings ? options.recordings->find(prepared) : nullptr;
  if (cell.counted() && time) cell.recorded = *time;
  add_source_lines(prepared.settings, cell.diagnostics);
  return cell;
}

std::vector<std::size_t> coarse_order(const SweepPlan& plan, std::size_t first) {
  std::vector<std::size_t> order;
  std::vector<bool> taken(plan.size(), false);
  const auto take = [&](std::size_t index) {
    if (index < taken.size() && !taken[index]) order.push_back(index), taken[index] = true;
  };
  take(first);
  std::size_t step = 1;
  for (const SweepAxis& axis : plan.axes) step = std::max(step, axis.values.size());
  step = std::bit_ceil(step);
  for (; step > 0; step /= 2) {
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const std::vector<std::size_t> at = plan.coordinates(i);
      if (std::all_of(at.begin(), at.end(), [&](std::size_t x) { return x % step == 0; })) take(i);
    }
  }
  return order;
}

Sweep run_sweep(const SweepPlan& plan, const SweepOptions& options) {
  Sweep sweep;
  sweep.plan = plan;
  sweep.cells.resize(plan.size());
  const std::vector<std::size_t> order = coarse_order(plan, options.first);
  const Clock::time_point start = Clock::now();
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < order.size() && !options.stop.stop_requested(); i = next++) {
      const std::size_t index = order[i];
      const SweepCell* known = options.known ? options.known(index) : nullptr;
      SweepCell cell = known ? *known : count_cell(plan.settings(index), plan.bundled, options);
      if (cell.state == SweepCell::State::pending) return;
      const std::lock_guard lock(mutex);
      ++sweep.done;
      if (!known) ++sweep.computed;
      sweep.cells[index] = std::move(cell);
      if (options.counted) options.counted(index, sweep.cells[index]);
    }
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t threads =
      std::min<std::size_t>(options.threads == 0 ? cores : options.threads, order.size());
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
    work();
  }
  sweep.finished = sweep.done == sweep.cells.size();
  sweep.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return sweep;
}

std::map<std::string, std::string> recorded_elsewhere(const SweepPlan& plan,
                                                      const RecordingIndex& recordings) {
  using Texts = RecordingIndex::Texts;
  if (!plan.bundled) return {};
  std::map<Texts, std::size_t> timed;
  std::size_t here = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Texts own = plan.arguments(i);
    for (const Texts& arguments : recordings.arguments(plan.base.name, plan.parameters(i))) {
      here += arguments == own;
      ++timed[arguments];
    }
  }
  const auto most = std::max_element(
      timed.begin(), timed.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == timed.end() || most->second <= here ? Texts{} : most->first;
}

}  // namespace lanescope::app
