#include "cli/run/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run/tensors_report.h"
#include "cli/text/progress_line.h"
#include "cli/text/table.h"
#include "core/run/patience.h"
#include "core/run/proposed.h"
#include "core/run/reference.h"
#include "core/run/whole_grid.h"
#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::cli {

namespace {

constexpr std::uint64_t kMostRecordedBlocks = 4096;

std::vector<Dim3> blocks_of(Dim3 grid) {
  std::vector<Dim3> result;
  for (std::uint32_t z = 0; z < grid.z; ++z) {
    for (std::uint32_t y = 0; y < grid.y; ++y) {
      for (std::uint32_t x = 0; x < grid.x; ++x) result.push_back({x, y, z});
    }
  }
  return result;
}

/// What the flags say, or why they make no sense.
BlockChoice choose(const std::string& text, Dim3 grid, bool record) {
  BlockChoice choice = choose_blocks(text, grid);
  const std::uint64_t count = choice.all ? grid.count() : choice.blocks.size();
  if (!has_errors(choice.diagnostics) && record && count > kMostRecordedBlocks)
    choice.diagnostics.push_back(flag_error(
        fmt::format("--blocks {}: a trace of {} blocks is too long to write", text, grouped(count)),
        "at most " + grouped(kMostRecordedBlocks)));
  return choice;
}

std::string counted(std::uint64_t number, const std::string& what) {
  return grouped(number) + " " + what + (number == 1 ? "" : "s");
}

std::string shape_text(Dim3 d) { return fmt::format("{} x {} x {}", d.x, d.y, d.z); }

}  // namespace

namespace {

/// Counts, which need no blocks if they can be proved, and the result where it is affordable.
void run_all(app::ReadyLaunch& ready, const RunControl& control, Report& report) {
  app::WholeGridOptions options;
  options.control = control;
  options.threads = report.flags.threads;
  options.every_block = !report.flags.blocks.empty();
  if (!options.every_block) options.most_seconds = app::kMostUnaskedS;
  app::WholeGrid whole = app::run_whole_grid(ready, options);
  report.run = std::move(whole.run);
  report.check = whole.check;
  append(report.diagnostics, std::move(whole.diagnostics));
  if (whole.would_take_s > 0) {
    Diagnostic d =
        flag_error(fmt::format("not counted: the whole grid would take about {:.0f} minutes",
                               std::max(1.0, whole.would_take_s / 60)),
                   "--blocks all counts it");
    d.kind = DiagnosticKind::cancelled;
    d.severity = Severity::warning;
    report.diagnostics.push_back(std::move(d));
  }
}

void check_if_whole(const app::ReadyLaunch& ready, Report& report) {
  append(report.diagnostics, report.run.diagnostics);
  const bool whole = report.run.coverage.blocks_executed == report.run.coverage.blocks;
  if (!report.run.ok() || !whole) return;
  app::CheckOutcome outcome = app::check_result(ready);
  report.check = outcome.check;
  if (outcome.diagnostic) report.diagnostics.push_back(std::move(*outcome.diagnostic));
}

void run_some(app::ReadyLaunch& ready, const RunControl& control, std::vector<Dim3> blocks,
              Report& report) {
  report.run = ready.execute({std::move(blocks), false, report.flags.threads, control});
  check_if_whole(ready, report);
}

void record_blocks(app::ReadyLaunch& ready, const RunControl& control, const BlockChoice& choice,
                   Report& report) {
  InspectRequest request;
  request.control = control;
  request.blocks = choice.all ? blocks_of(report.prepared->launch.grid) : choice.blocks;
  // The result of all is checked, element by element, touched or not.
  if (choice.all) ready.memory.complete();
  report.run = ready.inspect(request);
  check_if_whole(ready, report);
}

}  // namespace

Report make_report(const app::Catalog& catalog, const LaunchFlags& flags, const std::string& blocks,
                   bool record, const Fronts& fronts) {
  Report report;
  report.flags = flags;
  SettingsResult wanted = settings_from(catalog, flags);
  report.diagnostics = std::move(wanted.diagnostics);
  if (!wanted.settings) return report;

  const double most_seconds = flags.blocks.empty() ? app::kMostUnaskedS : 0;
  app::ProposedLaunch launch =
      app::prepare_as_proposed(*wanted.settings, {flags.steps, most_seconds});
  app::PrepareResult& result = launch.result;
  report.proposed = std::move(launch.said);
  append(report.diagnostics, std::move(result.diagnostics));
  if (!result.ready) return report;
  app::ReadyLaunch& ready = *result.ready;
  BlockChoice choice =
      choose(flags.blocks.empty() ? blocks : flags.blocks, ready.prepared->launch.grid, record);
  append(report.diagnostics, std::move(choice.diagnostics));
  if (has_errors(report.diagnostics)) return report;

  report.prepared = ready.prepared;
  ProgressBar bar(fronts.err, fronts.progress);
  RunControl control;
  control.progress = bar.callback();
  control.step_budget = flags.steps;
  if (record)
    record_blocks(ready, control, choice, report);
  else if (choice.all)
    run_all(ready, control, report);
  else
    run_some(ready, control, std::move(choice.blocks), report);
  read_tensors(ready, control, report);
  app::add_source_lines(report.prepared->settings, report.diagnostics);
  return report;
}

app::Json head_json(const Report& report) {
  app::Json json = {{"schema", 1}};
  if (!report.prepared) {
    json["kernel"] = report.flags.function;
    json["file"] = report.flags.kernel;
    return json;
  }
  const Launch& launch = report.prepared->launch;
  json["kernel"] = report.kernel().name;
  json["file"] = report.prepared->settings.file;
  json["launch"] = {{"grid", app::to_json(launch.grid)},
                    {"block", app::to_json(launch.block)},
                    {"shared_bytes", report.prepared->shared_bytes()}};
  for (const Message& message : report.proposed) json["proposed"].push_back(message.english());
  for (const app::MeasuredBuffer& buffer : report.prepared->measured) {
    app::Json touched;
    if (buffer.known && buffer.last >= buffer.first)
      touched = {{"first", buffer.first}, {"last", buffer.last}};
    json["measured"].push_back({{"name", buffer.name},
                                {"type", buffer.type},
                                {"known", buffer.known},
                                {"touched", std::move(touched)}});
  }
  return json;
}

void print_head(const Report& report, std::ostream& out) {
  const app::PreparedLaunch& prepared = *report.prepared;
  const Launch& launch = prepared.launch;
  out << prepared.settings.name;
  if (!prepared.front_matter.title.empty()) out << ": " << prepared.front_matter.title;
  out << "\n  kernel  " << report.kernel().name << "\n  grid    " << shape_text(launch.grid)
      << "  (" << counted(launch.grid.count(), "block") << ")\n  block   "
      << shape_text(launch.block) << "  (" << counted(launch.block.count(), "thread") << ", "
      << counted(warps_per_block(launch.block), "warp") << ")\n  shared  "
      << counted(prepared.shared_bytes(), "byte") << " a block\n";
  for (const Message& message : report.proposed)
    out << "  " << app::say::proposed(message).english() << '\n';
  for (const app::MeasuredBuffer& buffer : prepared.measured)
    out << "  auto    " << describe(buffer).english() << '\n';
  if (prepared.parameters.empty()) return;
  out << "  set    ";
  for (const auto& [name, value] : prepared.parameters) out << ' ' << name << '=' << value;
  out << '\n';
}

}  // namespace lanescope::cli
