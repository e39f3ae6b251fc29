#include "cli/run/report.h"

#include <nlohmann/json.hpp>

#include "cli/text/progress.h"
#include "cli/text/table.h"
#include "core/run/reference.h"
#include "core/run/whole_grid.h"
#include "core/text/text.h"

namespace lanescope::cli {

namespace {

constexpr std::uint64_t kMostRecordedBlocks = 4096;

void add(std::vector<Diagnostic>& all, std::vector<Diagnostic> found) {
  for (Diagnostic& diagnostic : found) all.push_back(std::move(diagnostic));
}

std::vector<Dim3> blocks_of(Dim3 grid) {
  std::vector<Dim3> result;
  for (std::uint32_t z = 0; z < grid.z; ++z) {
    for (std::uint32_t y = 0; y < grid.y; ++y) {
      for (std::uint32_t x = 0; x < grid.x; ++x) result.push_back({x, y, z});
    }
  }
  return result;
}

bool choose(Report& report, const std::string& text, bool record, RunOptions& options) {
  const Dim3 grid = report.job->launch.grid;
  BlockChoice choice = choose_blocks(text, grid);
  add(report.diagnostics, std::move(choice.diagnostics));
  if (has_errors(report.diagnostics)) return false;
  const std::uint64_t count = choice.all ? grid.count() : choice.blocks.size();
  if (record && count > kMostRecordedBlocks) {
    report.diagnostics.push_back(flag_error("--blocks " + text + ": a trace of " + grouped(count) +
                                                " blocks is too long to write",
                                            "at most " + grouped(kMostRecordedBlocks)));
    return false;
  }
  options.all_blocks = choice.all;
  options.blocks = choice.blocks;
  if (record) options.record = choice.all ? blocks_of(grid) : choice.blocks;
  return true;
}

std::string counted(std::uint64_t number, const std::string& what) {
  return grouped(number) + " " + what + (number == 1 ? "" : "s");
}

std::string shape_text(Dim3 d) {
  return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

}  // namespace

Report make_report(const app::Catalog& catalog, const LaunchFlags& flags, const std::string& blocks,
                   bool record, const Fronts& fronts) {
  Report report;
  report.flags = flags;
  SettingsResult wanted = settings_from(catalog, flags);
  report.diagnostics = std::move(wanted.diagnostics);
  if (!wanted.settings) return report;

  app::JobResult prepared = app::prepare(*wanted.settings);
  add(report.diagnostics, std::move(prepared.diagnostics));
  report.job = std::move(prepared.job);
  RunOptions options;
  if (!report.job ||
      !choose(report, flags.blocks.empty() ? blocks : flags.blocks, record, options)) {
    report.job.reset();
    return report;
  }
  ProgressBar bar(fronts.err, fronts.progress);
  if (options.all_blocks && !record) {
    app::WholeGridOptions whole_options;
    whole_options.progress = bar.callback();
    whole_options.threads = flags.threads;
    whole_options.every_block = !flags.blocks.empty();
    app::WholeGrid whole = app::run_whole_grid(*report.job, whole_options);
    report.run = std::move(whole.run);
    report.check = whole.check;
    add(report.diagnostics, std::move(whole.diagnostics));
    app::add_source_lines(report.job->settings, report.diagnostics);
    return report;
  }
  options.progress = bar.callback();
  options.threads = flags.threads;
  report.run = run(*report.job->program, report.job->launch, report.job->memory, options);
  add(report.diagnostics, report.run.diagnostics);
  const bool whole = report.run.coverage.blocks_executed == report.run.coverage.blocks;
  if (report.run.ok() && whole) {
    app::CheckOutcome outcome = app::check_result(*report.job);
    report.check = outcome.check;
    if (outcome.diagnostic) report.diagnostics.push_back(std::move(*outcome.diagnostic));
  }
  app::add_source_lines(report.job->settings, report.diagnostics);
  return report;
}

app::Json head_json(const Report& report) {
  app::Json json = {{"schema", 1}};
  if (!report.job) {
    json["kernel"] = report.flags.function;
    json["file"] = report.flags.kernel;
    return json;
  }
  const Launch& launch = report.job->launch;
  json["kernel"] = report.kernel().name;
  json["file"] = report.job->settings.file;
  json["launch"] = {
      {"grid", app::to_json(launch.grid)},
      {"block", app::to_json(launch.block)},
      {"shared_bytes", report.kernel().static_shared_bytes + launch.dynamic_shared_bytes}};
  return json;
}

void print_head(const Report& report, std::ostream& out) {
  const app::Job& job = *report.job;
  const Launch& launch = job.launch;
  out << job.settings.name;
  if (!job.front_matter.title.empty()) out << ": " << job.front_matter.title;
  out << "\n  kernel  " << report.kernel().name << "\n  grid    " << shape_text(launch.grid)
      << "  (" << counted(launch.grid.count(), "block") << ")\n  block   "
      << shape_text(launch.block) << "  (" << counted(launch.block.count(), "thread") << ", "
      << counted(warps_per_block(launch.block), "warp") << ")\n  shared  "
      << counted(report.kernel().static_shared_bytes + launch.dynamic_shared_bytes, "byte")
      << " a block\n";
  if (job.parameters.empty()) return;
  out << "  set    ";
  for (const auto& [name, value] : job.parameters) out << ' ' << name << '=' << value;
  out << '\n';
}

}  // namespace lanescope::cli
