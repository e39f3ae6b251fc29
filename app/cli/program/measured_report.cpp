#include "cli/program/measured_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/text/table.h"
#include "cli/timing/bench_report.h"
#include "core/text/messages.h"
#include "core/timing/counter_comparison.h"
#include "gpu/profile/trouble.h"

namespace lanescope::cli {
namespace {

namespace say = app::say;

constexpr std::size_t kMostMeasured = 40;

std::vector<app::CounterLine> lines_of(const app::LaunchRecord& launch,
                                       const gpu::MeasuredLaunch& measured) {
  const Message work = !launch.stopped.empty() ? Message(say::ended_by_mistake)
                       : launch.prints         ? Message(say::device_prints)
                       : launch.reads_tables   ? Message(say::device_tables)
                       : launch.exchanges      ? Message(say::device_tries_again)
                                               : Message();
  return app::compare_counters(launch.totals, measured.counters, work);
}

bool differs(const app::CounterLine& line) { return line.agreement != app::Agreement::exact; }

/// Neighbours that are alike in name and in what is said of their counters.
struct MeasuredRow {
  const app::LaunchRecord* launch = nullptr;
  std::vector<app::CounterLine> lines;
  std::vector<double> microseconds;
};

bool same_lines(const std::vector<app::CounterLine>& a, const std::vector<app::CounterLine>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.metric == y.metric && x.simulated == y.simulated && x.measured == y.measured;
  });
}

std::vector<MeasuredRow> rows_of(const std::vector<app::LaunchRecord>& launches,
                                 const std::vector<std::optional<gpu::MeasuredLaunch>>& measured) {
  std::vector<MeasuredRow> rows;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto& gpu_launch = measured[i];
    MeasuredRow row{&launches[i], {}, {}};
    if (gpu_launch) {
      row.lines = lines_of(launches[i], *gpu_launch);
      row.microseconds = {gpu_launch->microseconds};
    }
    const bool joins = !rows.empty() && rows.back().launch->kernel == launches[i].kernel &&
                       rows.back().microseconds.empty() == row.microseconds.empty() &&
                       same_lines(rows.back().lines, row.lines);
    if (joins && gpu_launch)
      rows.back().microseconds.push_back(gpu_launch->microseconds);
    else if (!joins)
      rows.push_back(std::move(row));
  }
  return rows;
}

/// The worst of them; nothing was read of an empty list.
std::string verdict(const MeasuredRow& row) {
  if (row.microseconds.empty()) return "not read";
  app::Agreement worst = app::Agreement::exact;
  for (const app::CounterLine& line : row.lines) worst = std::max(worst, line.agreement);
  return std::string(app::agreement_name(worst));
}

void print_differences(const MeasuredRow& row, std::ostream& out) {
  Table table({"<counter", "simulated", "measured", "<verdict", "<why"});
  for (const app::CounterLine& line : row.lines)
    if (differs(line))
      table.add({line.name.english(), grouped(line.simulated), grouped(line.measured),
                 std::string(app::agreement_name(line.agreement)), line.note.english()});
  if (table.empty()) return;
  out << fmt::format("\n  launch {}, {}:\n", row.launch->number, row.launch->kernel);
  table.print(out, "    ");
}

}  // namespace

MeasuredProgram measure_program(const app::ProgramRequest& request, const std::string& toolkit,
                                const std::vector<app::LaunchRecord>& launches,
                                app::GpuService& gpu) {
  const app::GpuStatus status = gpu.status();
  if (status.device)
    return {device_text(*status.device), gpu::run_natively(request, toolkit, launches)};
  return {{}, {gpu::unsupported(status.problem, status.hint), {}}};
}

void print_measured(const std::vector<app::LaunchRecord>& launches, const MeasuredProgram& measured,
                    const Fronts& fronts) {
  if (measured.run.problem) {
    fronts.err << format_diagnostic(*measured.run.problem);
    return;
  }
  const std::vector<MeasuredRow> rows = rows_of(launches, measured.run.launches);
  fronts.out << fmt::format("\nOn {}, built by nvcc -O3:\n", measured.device);
  Table table({"launch", "<kernel", "times", "median us", "<counters"});
  for (std::size_t i = 0; i < rows.size() && i < kMostMeasured; ++i) {
    const std::size_t times = rows[i].microseconds.size();
    const double median = app::spread_of(rows[i].microseconds, 1).median;
    table.add({std::to_string(rows[i].launch->number), name_text(rows[i].launch->kernel),
               std::to_string(times), times > 0 ? fmt::format("{:.2f}", median) : "",
               verdict(rows[i])});
  }
  table.print(fronts.out, "  ");
  for (std::size_t i = 0; i < rows.size() && i < kMostMeasured; ++i)
    print_differences(rows[i], fronts.out);
}

void add_measured(const std::vector<app::LaunchRecord>& launches, const MeasuredProgram& measured,
                  nlohmann::ordered_json& array) {
  using Json = nlohmann::ordered_json;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto* found = i < measured.run.launches.size() && measured.run.launches[i]
                            ? &*measured.run.launches[i]
                            : nullptr;
    if (found == nullptr) {
      const Message why = measured.run.problem ? measured.run.problem->message
                                               : say::gpu_ran_no_such_launch(gpu::kMostProfiled);
      array[i]["measured"] = {{"problem", why.english()}};
      continue;
    }
    Json counters = Json::array();
    for (const app::CounterLine& line : lines_of(launches[i], *found))
      counters.push_back(app::to_json(line));
    array[i]["measured"] = {{"us", found->microseconds},
                            {"device", measured.device},
                            {"tool", found->counters.tool},
                            {"counters", counters}};
  }
}

}  // namespace lanescope::cli
