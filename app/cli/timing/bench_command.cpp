#include "cli/timing/bench_command.h"
#include "cli/kernel/settings_flags.h"

#include <nlohmann/json.hpp>

#include "cli/kernel/settings_flags.h"
#include "cli/timing/bench_choice.h"
#include "cli/timing/bench_report.h"
#include "core/run/prepare.h"
#include "core/text/text.h"
#include "gpu/launch/execute.h"

namespace lanescope::cli {

namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  lanescope bench                                         copies and transposes at 4096 x "
    "4096\n"
    "  lanescope bench transpose/20_fastest --size 32768\n"
    "  lanescope bench transpose --size 1024,4096 --set ELEMENT=double\n"
    "  lanescope bench transpose/05_remapped --vary PAD=0..4 --vary BDIMY=4,8,16\n"
    "Without a GPU it says what is missing and shows what was recorded on one.";

void add_flags(CLI::App& command, GpuFlags& flags, const char* size) {
  const auto one = [](CLI::Option* option, const char* type) {
    option->allow_extra_args(false)->type_name(type);
  };
  command.add_option("kernels", flags.kernels, "Kernels' names, families, or CUDA C++ files");
  one(command.add_option("--size", flags.sizes, size), "N|ROWSxCOLUMNS[,...]");
  one(command.add_option("--set", flags.sets, "A tunable parameter (repeatable)"), "NAME=VALUE");
  one(command.add_option("--vary", flags.vary, "A parameter's values, each in turn (repeatable)"),
      "NAME=A,B,C|A..B");
  one(command.add_option("--kernel", flags.function, "The kernel in the file"), "FN");
  one(command.add_option("--block", flags.block, "Threads of a block"), "X[,Y[,Z]]");
  one(command.add_option("--grid", flags.grid, "Blocks of the grid"), "X[,Y[,Z]]");
  one(command.add_option("--shared", flags.shared, "Dynamic shared memory, bytes"), "BYTES");
  one(command.add_option("--arg", flags.arguments, "A kernel argument (repeatable)"), "NAME=VALUE");
  one(command.add_option("--record", flags.record, "Keep the results in this file or folder"),
      "FILE|DIR");
  command.add_flag("--json", flags.json, "Print JSON");
}

// One after the other; the results are in the launches' order.
std::vector<app::Measurement> measure_all(const std::vector<app::Settings>& launches,
                                          const GpuFlags& flags, const Fronts& fronts,
                                          app::GpuService& gpu) {
  app::MeasureOptions options;
  options.repetitions = flags.repetitions;
  options.timed = !flags.check_only;
  options.time_limit_s = flags.limit_s;
  std::vector<app::Measurement> results;
  for (const app::Settings& settings : launches) {
    app::PrepareResult prepared = app::prepare(settings);
    app::Measurement result;
    result.kernel = settings.name, result.parameters = settings.parameters;
    if (prepared.ready) {
      result = gpu.measure(*prepared.ready, options,
                           [&](const app::MeasureProgress& p) {
                             if (fronts.progress)
                               fronts.err << "\r\033[K" << settings.name << ": "
                                          << p.stage.english() << std::flush;
                           },
                           {});
    } else {
      result.diagnostics = std::move(prepared.diagnostics);
    }
    results.push_back(std::move(result));
  }
  if (fronts.progress) fronts.err << "\r\033[K" << std::flush;
  return results;
}

int report_all(const std::vector<app::Measurement>& results, const Fronts& fronts) {
  int status = kFine;
  for (const app::Measurement& m : results) {
    if (!m.diagnostics.empty())
      fronts.err << m.kernel << " " << settings_text(m) << " " << size_text(m) << ":\n";
    print_diagnostics(m.diagnostics, fronts);
    status = std::max(status, status_of(m.diagnostics));
  }
  return status;
}

int show_recorded(const std::vector<app::Settings>& launches, const GpuFlags& flags,
                  const Fronts& fronts, const app::GpuStatus& status) {
  Diagnostic missing = flag_error("nothing can be measured here: " + status.problem.english(),
                                  status.hint.english());
  fronts.err << format_diagnostic(missing);
  std::vector<app::Recording> recordings =
      flags.record.empty() ? recordings_of(launches) : std::vector<app::Recording>{};
  for (app::Recording& recording : recordings)
    std::erase_if(recording.measurements, [](const app::Measurement& m) { return !m.time; });
  std::erase_if(recordings, [](const app::Recording& r) { return r.measurements.empty(); });
  if (flags.json) {
    fronts.out << bench_json(false, status.problem.english(), recordings).dump(2) << '\n';
  } else if (recordings.empty() && flags.record.empty()) {
    fronts.err << "nothing is recorded of these launches either\n";
  } else {
    for (const app::Recording& recording : recordings) {
      fronts.out << "Recorded on " << device_text(recording.device) << ", " << recording.date
                 << "; not measured here.\n\n";
      print_measurements(recording.measurements, fronts);
      fronts.out << '\n';
    }
  }
  return recordings.empty() ? kFailed : kFine;
}

}  // namespace

void add_bench_command(CLI::App& app, GpuFlags& flags) {
  CLI::App* command = app.add_subcommand("bench", "Time kernels on the GPU, results checked");
  add_flags(*command, flags, "Matrices of this size (repeatable); default: 4096");
  command->add_option("--repetitions", flags.repetitions, "Timed repetitions")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_option("--limit", flags.limit_s, "Seconds after which a launch is given up")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str();
  command->add_flag("--check-only", flags.check_only, "Check the result, time nothing");
  command->footer(kExamples);
}

void add_verify_command(CLI::App& app, GpuFlags& flags) {
  CLI::App* command = app.add_subcommand(
      "verify", "Compare the simulator's counts with the counters of the GPU's profiler");
  add_flags(*command, flags, "Matrices of this size (repeatable); default: 1024");
  command->footer(
      "Needs Nsight Compute and the permission to read the GPU's counters; says so where "
      "they are missing, and compares with what was recorded.");
}

int bench_command(const app::Catalog& catalog, const GpuFlags& flags, const Fronts& fronts,
                  app::GpuService& gpu) {
  const Choice choice = choose_launches(catalog, flags, {"copy", "transpose"}, "4096");
  print_diagnostics(choice.diagnostics, fronts);
  if (has_errors(choice.diagnostics)) return status_of(choice.diagnostics);
  const app::GpuStatus status = gpu.status();
  if (!status.device) return show_recorded(choice.launches, flags, fronts, status);

  app::Recording recording;
  recording.device = *status.device, recording.date = app::today();
  recording.method = gpu::method_text();
  recording.measurements = measure_all(choice.launches, flags, fronts, gpu);
  if (flags.json) {
    fronts.out << bench_json(true, "", {recording}).dump(2) << '\n';
  } else {
    fronts.out << device_text(recording.device) << "\n";
    for (const Message& note : status.notes) fronts.out << note.english() << '\n';
    fronts.out << '\n';
    print_measurements(recording.measurements, fronts);
  }
  fronts.out.flush();
  int result = report_all(recording.measurements, fronts);
  if (!flags.record.empty()) {
    const RecordResult written = write_recording(flags.record, recording);
    if (written.error) {
      fronts.err << format_diagnostic(*written.error);
      return kFailed;
    }
    fronts.err << "recorded in " << written.file << '\n';
  }
  return result;
}

}  // namespace lanescope::cli
