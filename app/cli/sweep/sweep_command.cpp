#include "cli/sweep/sweep_command.h"
#include "cli/kernel/proposal_notes.h"

#include <fmt/format.h>

#include "cli/sweep/sweep_report.h"
#include "core/run/captured_launch.h"
#include "core/run/prepare.h"
#include "core/sweep/sweep.h"

namespace lanescope::cli {

namespace {

constexpr const char* kSweepNotes =
    "VALUES are A,B,C or ranges A..B, A..B..STEP, A..B*FACTOR, or both: 0..4,8,16..64*2.\n"
    "NAME is a tunable parameter (for a file without front matter, any macro), a scalar argument,\n"
    "or 'block' with values like 32x8, where the block is no parameter; a grid given with --grid\n"
    "is then fitted to each block. The first axis makes the rows, the second the columns, the\n"
    "third a table each. Without --vary: the block's shape against padding.\n"
    "Counts are exact, of the whole grid: proved for all blocks where addresses follow blockIdx,\n"
    "else every block is executed. A setting that does not compile or cannot be launched is a "
    "hole\n"
    "with its reason. Occupancy is by shared memory and threads; times are recorded, and say "
    "where.\n"
    "Metrics: wavefronts, conflicts, sectors, efficiency, shared-bytes, occupancy, time.\n"
    "Exit status: 0 fine, 1 no setting is right, 2 bad usage, 3 an internal error.\n"
    "Examples:\n"
    "  lanescope sweep transpose/05_remapped --vary BDIMX=8..32*2 --vary PAD=0..4\n"
    "  lanescope sweep transpose/05_remapped --recorded --metric time --csv\n"
    "  lanescope sweep mine.cu --vary TILE=16,32 --block 32,8 --grid 32,32 --arg "
    "'p=float[1048576]'";

// Moves the plan to where its settings were timed. False if they never were.
bool use_recorded(app::SweepPlan& plan, const app::RecordingIndex& recordings) {
  const auto elsewhere = app::recorded_elsewhere(plan, recordings);
  for (const auto& [name, value] : elsewhere) plan.base.arguments[name] = value;
  if (!elsewhere.empty()) return true;
  for (std::size_t i = 0; i < plan.size(); ++i)
    for (const auto& arguments : recordings.arguments(plan.base.name, plan.parameters(i)))
      if (plan.bundled && arguments == plan.arguments(i)) return true;
  return false;
}

void show_progress(const Fronts& fronts, std::size_t done, std::size_t all) {
  fronts.err << "\r" << done << " of " << all << " settings\x1b[K" << std::flush;
}

// When nothing is right anywhere, the first setting tells why.
int status_of_sweep(const app::Sweep& sweep, const Fronts& fronts) {
  const app::SweepCell* wrong = nullptr;
  for (const app::SweepCell& cell : sweep.cells) {
    if (cell.counted()) return kFine;
    if (!wrong) wrong = &cell;
  }
  if (!wrong) return kInternal;
  print_diagnostics(wrong->diagnostics, fronts);
  return status_of(wrong->diagnostics);
}

/// A program's own launch is swept from its own shape, so that a grid is fitted to each block.
void keep_coverage(app::Settings& settings) {
  if (!settings.captured) return;
  const Launch& launch = settings.captured->launch;
  if (!settings.block) settings.block = launch.block;
  if (!settings.grid) settings.grid = app::grid_of_same_threads(launch, *settings.block);
}

}  // namespace

void add_sweep_command(CLI::App& app, SweepFlags& flags) {
  CLI::App* command = app.add_subcommand(
      "sweep", "Count every setting of up to three varied parameters, and name the best");
  add_launch_flags(*command, flags.launch, true);
  command
      ->add_option("--vary", flags.vary,
                   "What to vary over which values (repeatable, up to three times)")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
  command->add_option("--metric", flags.metric, "What the table shows and the best is best in")
      ->type_name("NAME");
  command->add_flag("--recorded", flags.recorded,
                    "Count at the size at which times were recorded, to show them too");
  command->add_flag("--check", flags.check,
                    "Execute every block of every setting and compare the results (slower)");
  command->add_flag("--csv", flags.csv, "Print CSV: a line for each setting, every metric");
  add_steps_flag(*command, flags.launch);
  add_json_flag(*command, flags.launch);
  command->footer(kSweepNotes);
}

int sweep_command(const app::Catalog& catalog, const SweepFlags& flags, const Fronts& fronts) {
  if (flags.csv && flags.launch.json)
    return usage(fronts, "--csv and --json exclude each other", "");
  const auto metric = app::metric_named(flags.metric);
  if (!flags.metric.empty() && !metric) {
    std::vector<std::string_view> known;
    for (const app::SweepMetric m : app::kSweepMetrics) known.push_back(app::metric_id(m));
    return usage(fronts, fmt::format("--metric {}: no such metric", flags.metric),
                 fmt::format("{}", fmt::join(known, ", ")));
  }
  SettingsResult wanted = settings_from(catalog, flags.launch);
  if (!wanted.settings) {
    print_diagnostics(wanted.diagnostics, fronts);
    return status_of(wanted.diagnostics);
  }
  take_proposal(*wanted.settings, flags.launch.steps, fronts);
  keep_coverage(*wanted.settings);
  app::SweepPlanResult planned = app::plan_sweep(*wanted.settings, catalog, flags.vary);
  if (!planned.plan) {
    print_diagnostics(planned.diagnostics, fronts);
    return status_of(planned.diagnostics);
  }
  app::SweepPlan& plan = *planned.plan;
  app::SweepOptions options;
  options.check = flags.check;
  options.step_budget = flags.launch.steps;
  options.recordings = app::bundled_recordings();
  if (flags.recorded && !use_recorded(plan, *options.recordings))
    return usage(fronts, "--recorded: no time was recorded of any of these settings",
                 "leave it out, or vary what 'lanescope bench' has recorded");
  std::size_t done = 0;
  if (fronts.progress)
    options.counted = [&](std::size_t, const app::SweepCell&) {
      show_progress(fronts, ++done, plan.size());
    };
  const app::Sweep sweep = app::run_sweep(plan, options);
  if (fronts.progress)
    fronts.err << fmt::format("\r\x1b[K{:.1f} settings a second",
                              static_cast<double>(sweep.done) / sweep.seconds)
               << std::endl;
  const int status = status_of_sweep(sweep, fronts);
  const app::SweepMetric shown = metric.value_or(app::suggested_metric(sweep));
  if (flags.launch.json)
    print_sweep_json(sweep, shown, fronts.out);
  else if (flags.csv)
    print_sweep_csv(sweep, fronts.out);
  else if (status == kFine)
    print_sweep(sweep, shown, fronts.out);
  fronts.out.flush();
  return status;
}

}  // namespace lanescope::cli
