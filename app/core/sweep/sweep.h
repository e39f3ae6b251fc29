// A sweep: what every setting of a plan costs, counted over the whole grid, and which is best.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/totals.h"
#include "core/sweep/sweep_plan.h"
#include "core/timing/recording_index.h"
#include "lanescope/occupancy.h"

namespace lanescope::app {

struct SweepCell {
  enum class State {
    pending,
    counted,
    /// Does not compile or cannot be launched: a hole, no failure
    impossible,
    /// Runs, but is wrong: a fault, a race, a wrong result
    failed,
  };
  State state = State::pending;
  /// Of a hole, in one line
  Message reason;
  /// Errors
  std::vector<Diagnostic> diagnostics;
  Dim3 grid, block;
  /// Of a block, static and dynamic
  std::uint64_t shared_bytes = 0;
  Occupancy occupancy;
  /// Loads, stores and atomics of the whole grid
  SharedCounts shared;
  GlobalCounts global;
  Totals totals;
  /// Classes above 0: proved, not executed
  std::uint64_t blocks = 0, classes = 0;
  ResultCheck check;
  std::optional<RecordedTiming> recorded;

  [[nodiscard]] bool counted() const { return state == State::counted; }
};

struct Sweep {
  SweepPlan plan;
  /// By SweepPlan::index
  std::vector<SweepCell> cells;
  std::size_t done = 0;
  /// Of those done, the ones that were not known already
  std::size_t computed = 0;
  /// That it took so far
  double seconds = 0;
  /// False after a cancellation too
  bool finished = false;
  bool running = false;
  /// Scalar arguments at which more of these cells were timed; see recorded_elsewhere.
  std::map<std::string, std::string> elsewhere;
};
using SweepPtr = std::shared_ptr<const Sweep>;

// --- what a cell is judged by ---
enum class SweepMetric {
  wavefronts,
  conflicts,
  sectors,
  efficiency,
  shared_bytes,
  occupancy,
  time,
};
inline constexpr std::array kSweepMetrics = {SweepMetric::wavefronts,   SweepMetric::conflicts,
                                             SweepMetric::sectors,      SweepMetric::efficiency,
                                             SweepMetric::shared_bytes, SweepMetric::occupancy,
                                             SweepMetric::time};
/// "wavefronts", "shared-bytes": as the command line takes it.
std::string_view metric_id(SweepMetric metric);
std::optional<SweepMetric> metric_named(std::string_view id);
bool more_is_better(SweepMetric metric);
/// Nullopt where the cell has no such number: a hole, no recorded time, no global access.
std::optional<double> metric_value(const SweepCell& cell, SweepMetric metric);

/// What the numbers of one metric are across a sweep.
struct SweepScale {
  /// Ties: fewer sectors, wavefronts, bytes, then the first
  std::optional<std::size_t> best;
  /// Cells whose number equals the best one's, it included
  std::size_t as_good = 0;
  /// Cells that have a number
  std::size_t values = 0;
  /// The least that any setting could cost
  double ideal = 0;
  /// Settings differ in the work done: each against its own
  bool own_ideal = false;
};
SweepScale scale_of(const Sweep& sweep, SweepMetric metric);
/// Cost against ideal, 1 or more; nullopt where the cell has no number.
std::optional<double> sweep_heat(const SweepScale& scale, SweepMetric metric,
                                 const SweepCell& cell);
/// Wavefronts where shared memory is used and settings differ in them, else sectors.
SweepMetric suggested_metric(const Sweep& sweep);

struct SweepOptions {
  std::stop_token stop;
  /// 0 picks the machine's cores
  unsigned threads = 0;
  /// Execute every block and compare the results
  bool check = false;
  /// Warp instructions that a block may execute; 0 takes the engine's own budget
  std::uint64_t step_budget = 0;
  /// Counted before the others
  std::size_t first = 0;
  /// May be null
  RecordingIndexPtr recordings;
  /// A cell that is counted already
  std::function<const SweepCell*(std::size_t)> known;
  /// One call at a time
  std::function<void(std::size_t, const SweepCell&)> counted;
};
/// Counts every cell, each on one core.
Sweep run_sweep(const SweepPlan& plan, const SweepOptions& options);
/// One setting. Pending when stopped.
SweepCell count_cell(const Settings& settings, bool bundled, const SweepOptions& options);
/// The whole sweep coarsely first: every cell once, `first` at the front.
std::vector<std::size_t> coarse_order(const SweepPlan& plan, std::size_t first);

/// Scalar arguments at which more cells of the plan were timed than where it stands; empty if there
/// are none.
std::map<std::string, std::string> recorded_elsewhere(const SweepPlan& plan,
                                                      const RecordingIndex& recordings);

}  // namespace lanescope::app
