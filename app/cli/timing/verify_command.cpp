// `verify`: simulated counts beside the profiler's, counter by counter.
#include <nlohmann/json.hpp>

#include "cli/kernel/settings_flags.h"
#include "cli/text/table.h"
#include "cli/timing/bench_choice.h"
#include "cli/timing/bench_command.h"
#include "cli/timing/bench_report.h"
#include "core/run/whole_grid.h"
#include "core/text/text.h"
#include "core/timing/counter_comparison.h"
#include "gpu/launch/execute.h"

namespace lanescope::cli {

namespace {

const std::vector<std::string> kFamilies = {"copy", "transpose", "gemm", "patterns"};

// A launch, what the simulator counted and what was measured of it.
struct Verified {
  std::unique_ptr<app::ReadyLaunch> ready;
  app::Totals simulated;
  app::Measurement measured;
  std::vector<app::CounterLine> lines;
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] bool agrees() const {
    return !lines.empty() && app::all_agree(lines) && !has_errors(diagnostics);
  }
};

Verified simulate(const app::Settings& settings) {
  Verified result;
  app::PrepareResult prepared = app::prepare(settings);
  result.measured.kernel = settings.name;
  result.diagnostics = std::move(prepared.diagnostics);
  result.ready = std::move(prepared.ready);
  if (!result.ready) return result;
  app::WholeGridOptions options;
  options.most_to_check = 0;  // only the counts are wanted
  const app::WholeGrid grid = app::run_whole_grid(*result.ready, options);
  for (const Diagnostic& d : grid.diagnostics) result.diagnostics.push_back(d);
  if (!has_errors(result.diagnostics) && !grid.run.coverage.exact) {
    Diagnostic part = flag_error("the simulator's counts are not of the whole grid");
    part.kind = DiagnosticKind::internal;
    result.diagnostics.push_back(std::move(part));
  }
  result.simulated = app::totals_of(result.ready->prepared->kernel(), grid.run);
  return result;
}

void compare(Verified& verified, app::Measurement measured) {
  verified.measured = std::move(measured);
  if (verified.measured.counters)
    verified.lines = app::compare_counters(verified.simulated, *verified.measured.counters);
  for (const Diagnostic& d : verified.measured.diagnostics) verified.diagnostics.push_back(d);
}

std::vector<const app::ReadyLaunch*> launches_of(const std::vector<Verified>& all) {
  std::vector<const app::ReadyLaunch*> launches;
  for (const Verified& one : all)
    if (one.ready && !has_errors(one.diagnostics)) launches.push_back(one.ready.get());
  return launches;
}

void print_json(const std::vector<Verified>& all, const app::Recording& source, bool live,
                const Fronts& fronts) {
  app::Json json = {{"schema", 1},
                    {"live", live},
                    {"device", app::to_json(source.device)},
                    {"date", source.date},
                    {"kernels", app::Json::array()}};
  for (const Verified& one : all) {
    app::Json kernel = {{"kernel", one.measured.kernel},
                        {"parameters", one.measured.parameters},
                        {"arguments", one.measured.arguments},
                        {"agrees", one.agrees()},
                        {"counters", app::Json::array()}};
    for (const app::CounterLine& line : one.lines) kernel["counters"].push_back(app::to_json(line));
    kernel["diagnostics"] = app::to_json(one.diagnostics);
    json["kernels"].push_back(std::move(kernel));
  }
  fronts.out << json.dump(2) << '\n';
}

void print_text(const std::vector<Verified>& all, const Fronts& fronts) {
  std::size_t agreeing = 0;
  for (const Verified& one : all) {
    agreeing += one.agrees();
    fronts.out << one.measured.kernel << "  " << settings_text(one.measured) << "  "
               << size_text(one.measured) << '\n';
    Table table({"<counter", "simulated", "measured", "<verdict", "<why"});
    for (const app::CounterLine& line : one.lines) {
      table.add({line.name.english(), grouped(line.simulated), grouped(line.measured),
                 std::string(app::agreement_name(line.agreement)), line.note.english()});
    }
    if (!table.empty()) table.print(fronts.out, "  ");
    if (one.lines.empty()) fronts.out << "  no counters\n";
    fronts.out << '\n';
  }
  fronts.out << agreeing << " of " << all.size() << " launches agree\n";
}

int finish(const std::vector<Verified>& all, const app::Recording& source, bool live,
           const GpuFlags& flags, const Fronts& fronts) {
  flags.json ? print_json(all, source, live, fronts) : print_text(all, fronts);
  fronts.out.flush();
  int status = kFine;
  for (const Verified& one : all) {
    print_diagnostics(one.diagnostics, fronts);
    status =
        std::max(status, one.agrees() ? kFine : std::max<int>(kFailed, status_of(one.diagnostics)));
  }
  return status;
}

// The recorded counters of the same launches, beside what is simulated now.
int verify_recorded(const std::vector<app::Settings>& launches, const GpuFlags& flags,
                    const Fronts& fronts, std::vector<Verified> all) {
  const std::vector<app::Recording> recordings = recordings_of(launches);
  for (const app::Recording& recording : recordings) {
    std::vector<Verified> found;
    for (Verified& one : all) {
      if (!one.ready) continue;
      for (const app::Measurement& m : recording.measurements) {
        const app::PreparedLaunch& prepared = *one.ready->prepared;
        const bool same = m.counters && m.kernel == prepared.settings.name &&
                          m.parameters == prepared.parameters && m.grid == prepared.launch.grid &&
                          m.block == prepared.launch.block;
        if (!same) continue;
        compare(one, m);
        found.push_back(std::move(one));
        break;
      }
    }
    if (found.empty()) continue;
    if (!flags.json)
      fronts.out << "Counters recorded on " << device_text(recording.device) << ", "
                 << recording.date << "; not read here.\n\n";
    return finish(found, recording, false, flags, fronts);
  }
  return kFailed;
}

int record(const std::vector<Verified>& all, const app::Recording& source, const GpuFlags& flags,
           const Fronts& fronts) {
  app::Recording recording = source;
  for (const Verified& one : all)
    if (one.measured.counters) recording.measurements.push_back(one.measured);
  const RecordResult written = write_recording(flags.record, recording);
  if (written.error) {
    fronts.err << format_diagnostic(*written.error);
    return kFailed;
  }
  fronts.err << "recorded in " << written.file << '\n';
  return kFine;
}

}  // namespace

int verify_command(const app::Catalog& catalog, const GpuFlags& flags, const Fronts& fronts,
                   app::GpuService& gpu) {
  const Choice choice = choose_launches(catalog, flags, kFamilies, "1024");
  print_diagnostics(choice.diagnostics, fronts);
  if (has_errors(choice.diagnostics)) return status_of(choice.diagnostics);
  std::vector<Verified> all;
  for (const app::Settings& settings : choice.launches) all.push_back(simulate(settings));

  const app::GpuStatus status = gpu.status();
  if (!status.device) {
    fronts.err << format_diagnostic(flag_error(
        "no counters can be read here: " + status.problem.english(), status.hint.english()));
    return verify_recorded(choice.launches, flags, fronts, std::move(all));
  }
  std::vector<app::Measurement> measured = gpu.count(launches_of(all), {}, {});
  std::size_t next = 0;
  bool any = false;
  for (Verified& one : all) {
    if (!one.ready || has_errors(one.diagnostics) || next >= measured.size()) continue;
    any = any || measured[next].counters.has_value();
    compare(one, std::move(measured[next++]));
  }
  if (!any && !all.empty()) {  // no profiler, or no permission: said once
    for (Verified& one : all) {
      if (one.diagnostics.empty()) continue;
      fronts.err << format_diagnostic(one.diagnostics.front());
      break;
    }
    for (Verified& one : all) one.diagnostics.clear();
    return verify_recorded(choice.launches, flags, fronts, std::move(all));
  }
  app::Recording source;
  source.device = *status.device, source.date = app::today(), source.method = gpu::method_text();
  if (!flags.json) fronts.out << device_text(source.device) << "\n\n";
  const int result = finish(all, source, true, flags, fronts);
  if (flags.record.empty()) return result;
  return std::max(result, record(all, source, flags, fronts));
}

}  // namespace lanescope::cli
