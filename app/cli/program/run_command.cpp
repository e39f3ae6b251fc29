#include "cli/program/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/kernel/settings_flags.h"
#include "cli/program/measured_report.h"
#include "cli/program/run_progress.h"
#include "cli/text/table.h"
#include "core/kernel/index_layout.h"
#include "core/program/program_input.h"
#include "core/program/program_service.h"
#include "core/run/counters.h"
#include "lanescope/device.h"
#include "lanescope/source_files.h"
#include "program/process/program_child.h"
#include "program/process/program_run.h"

namespace lanescope::cli {
namespace {

constexpr const char* kRunNotes =
    "The program's host code runs natively, in a process of its own; its kernels run in the\n"
    "simulator, with the program's own data. Its output comes first, then a table of its "
    "launches.\n"
    "A mistake is reported and the program goes on, as far as it would on a GPU.\n"
    "Ctrl+C ends it, and what there is so far is printed.\n"
    "Exit status: the program's own; 128 and a signal's number after a crash; 130 after "
    "Ctrl+C;\n"
    "125 where it does not compile; 2 bad usage.\n"
    "Examples:\n"
    "  lanescope run transpose.cu\n"
    "  lanescope run sgemm.cu -- 256 256 256\n"
    "  lanescope run folder/of/one/program\n"
    "  lanescope run main.cu kernels.cu util.cpp -I include -D N=1024 --json";
constexpr int kInterrupted = 130;
constexpr std::size_t kMostListed = 40;

app::ProgramRequest request_of(const RunFlags& flags) {
  ProgramFlags program = flags.program;
  std::vector<std::string> own;
  for (const std::string& word : flags.words) {
    std::error_code ignored;
    if (own.empty() && app::is_source_file(word))
      program.files.push_back(word);
    else if (own.empty() && std::filesystem::is_directory(word, ignored))
      std::ranges::copy(source_files_in(word), std::back_inserter(program.files));
    else
      own.push_back(word);
  }
  program.arguments.insert(program.arguments.begin(), own.begin(), own.end());
  app::ProgramRequest request = program_request(program);
  request.device = flags.device;
  request.threads = flags.threads;
  request.step_budget = flags.steps;
  request.check_all = flags.check_all;
  request.stop_at_mistake = flags.stop;
  request.every_launch = flags.every_launch;
  request.writable = flags.writable;
  return request;
}

std::string device_names() {
  std::string names;
  for (const DevicePreset& device : device_presets())
    names += (names.empty() ? "" : ", ") + std::string(device.name);
  return names;
}

std::string place(const app::HostPosition& at) {
  return at.file.empty() ? std::string() : fmt::format("{}:{}: ", at.file, at.line);
}

std::string dims(Dim3 d) {
  return d.z != 1   ? fmt::format("{},{},{}", d.x, d.y, d.z)
         : d.y != 1 ? fmt::format("{},{}", d.x, d.y)
                    : fmt::format("{}", d.x);
}

/// What is wrong with it, as CLI11 wants it; empty if nothing is.
std::string above_zero(const std::string& text) {
  double value = 0;
  const bool is_number = CLI::detail::lexical_cast(text, value);
  return is_number && value > 0 ? "" : "a number above 0 is wanted, not " + text;
}

/// Neighbours that are alike in all that the table shows.
struct LaunchRow {
  const app::LaunchRecord* launch = nullptr;
  std::size_t times = 1;
};

bool alike(const app::LaunchRecord& a, const app::LaunchRecord& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block && a.stopped == b.stopped &&
         to_json(a.totals) == to_json(b.totals);
}

void print_launches(const std::vector<app::LaunchRecord>& launches, std::ostream& out) {
  if (launches.empty()) return;
  std::vector<LaunchRow> rows;
  for (const app::LaunchRecord& launch : launches) {
    if (!rows.empty() && alike(*rows.back().launch, launch))
      rows.back().times += 1;
    else
      rows.push_back({&launch});
  }
  Table table({"launch", "<kernel", "times", "<grid", "<block", "wavefronts", "conflicts",
               "sectors", "efficiency", "mistakes", "<"});
  for (std::size_t i = 0; i < rows.size() && i < kMostListed; ++i) {
    const app::LaunchRecord& launch = *rows[i].launch;
    const SharedCounts shared = shared_of(launch.totals);
    const GlobalCounts global = global_of(launch.totals);
    table.add({std::to_string(launch.number), name_text(launch.kernel),
               std::to_string(rows[i].times), dims(launch.grid), dims(launch.block),
               grouped(shared.wavefronts), grouped(shared.conflicts), grouped(global.sectors),
               app::text_of(app::kGlobalCounters[3], global),
               std::to_string(launch.mistakes.size()), launch.stopped});
  }
  out << '\n';
  table.print(out, "  ");
  if (rows.size() > kMostListed)
    out << fmt::format("  … and {} more; --json lists all\n", rows.size() - kMostListed);
}

bool is_stopped(const app::ProgramResult& result) { return result.end.crash == app::kStopped; }

int program_status(const app::ProgramResult& result) {
  if (is_stopped(result)) return kInterrupted;
  return result.started ? result.end.status : app::kCannotStart;
}

/// Each mistake once, with how often it was found.
void print_mistakes(const app::ProgramResult& result, std::ostream& err) {
  std::vector<std::pair<Diagnostic, std::size_t>> found;
  std::map<std::string, std::size_t> known;
  for (const app::LaunchRecord& launch : result.launches)
    for (const Diagnostic& d : launch.mistakes) {
      const std::string key =
          fmt::format("{}:{}:{}:{}", d.file, d.line, d.column, static_cast<int>(d.kind));
      const auto [it, added] = known.emplace(key, found.size());
      if (added)
        found.emplace_back(d, 1);
      else
        found[it->second].second += 1;
    }
  for (const auto& [d, times] : found) {
    err << format_diagnostic(d);
    if (times > 1) err << fmt::format("  (in {} launches)\n", times);
  }
  for (const app::HostRemark& remark : result.remarks)
    err << place(remark.at) << (remark.is_error ? "error: " : "remark: ") << remark.text << '\n';
  if (is_stopped(result)) {
    err << "stopped";
    if (result.unfinished) err << " in " << progress_text(*result.unfinished);
    err << '\n';
  } else if (!result.end.crash.empty()) {
    err << place(result.end.at)
        << (result.end.was_ended ? "error: the program was ended: "
                                 : "error: the program ended by a crash: ")
        << result.end.crash << '\n';
  }
  if (result.calls_left_out != 0)
    err << fmt::format("remark: {} calls of the CUDA runtime beyond the first {} have no record\n",
                       grouped(result.calls_left_out), grouped(app::kMostCalls));
  for (const std::string& lacking : result.unbounded)
    err << "remark: this machine cannot hold the program to: " << lacking << '\n';
}

app::Json json_of(const app::ProgramResult& result, const std::string& output,
                  const std::string& errors, const MeasuredProgram* measured) {
  app::Json launches = app::Json::array(), remarks = app::Json::array(), calls = app::Json::array();
  for (const app::LaunchRecord& launch : result.launches) launches.push_back(to_json(launch));
  if (measured) add_measured(result.launches, *measured, launches);
  for (const app::CallRecord& call : result.calls) calls.push_back(to_json(call));
  for (const app::HostRemark& remark : result.remarks) remarks.push_back(to_json(remark));
  return {{"schema", 1},
          {"started", result.started},
          {"exit", program_status(result)},
          {"stopped", is_stopped(result)},
          {"crash", result.end.crash},
          {"crashed_at", {{"file", result.end.at.file}, {"line", result.end.at.line}}},
          {"output", output},
          {"errors", errors},
          {"launches", launches},
          {"unfinished", result.unfinished ? to_json(*result.unfinished) : app::Json()},
          {"calls", calls},
          {"calls_left_out", result.calls_left_out},
          {"remarks", remarks},
          {"diagnostics", app::diagnostics_json(result.diagnostics)}};
}

/// Nothing where nobody wants it, or the program did not start.
using Measure = std::function<std::optional<MeasuredProgram>(const app::ProgramResult&)>;

int run_for_json(const app::ProgramRequest& request, app::ProgramWatch watch, RunProgress& progress,
                 const Measure& measure, const Fronts& fronts) {
  std::string output, errors;
  watch.wrote = [&](std::string_view text, bool is_error) { (is_error ? errors : output) += text; };
  const app::ProgramResult result = app::run_program(request, watch);
  progress.erase();
  const std::optional<MeasuredProgram> measured = measure(result);
  const app::Json json = json_of(result, output, errors, measured ? &*measured : nullptr);
  fronts.out << json.dump(2, ' ', false, app::Json::error_handler_t::replace) << '\n';
  return program_status(result);
}

app::ProgramWatch watch_of(const RunFlags& flags, RunProgress& progress) {
  app::ProgramWatch watch;
  watch.in = STDIN_FILENO;
  watch.most_seconds = flags.limit;
  watch.interrupted = &CatchInterrupt::caught;
  watch.launched = [&progress](const app::LaunchRecord& launch) {
    progress.count(launch.number + 1, launch.kernel);
  };
  watch.progressed = [&progress](const app::LaunchProgress& now) { progress.show(now); };
  return watch;
}

}  // namespace

void add_run_command(CLI::App& app, RunFlags& flags) {
  CLI::App* command =
      app.add_subcommand("run", "Run a whole CUDA program: host code, kernels and all");
  command
      ->add_option("file", flags.words,
                   "CUDA C++ and C++ files, or a folder of them; then the program's arguments")
      ->required()
      ->type_name("FILE...");
  const auto many = [&](const char* name, std::vector<std::string>& to, const char* what,
                        const char* type) {
    command->add_option(name, to, what)->allow_extra_args(false)->type_name(type);
  };
  add_program_flags(*command, flags.program);
  command->add_option("--device", flags.device, "The device to be, such as H200")
      ->type_name("NAME");
  command->add_option("--threads", flags.threads, "Cores to use; default: all")->type_name("N");
  command
      ->add_option("--steps", flags.steps,
                   "Warp instructions that a block may execute before it counts as endless")
      ->type_name("N");
  command->add_flag("--check-all", flags.check_all,
                    "Look for races and uninitialised reads in large launches too (slow)");
  command->add_flag("--every-launch", flags.every_launch,
                    "Run every launch, also one that repeats the last and changes nothing");
  command->add_flag("--measure", flags.measure,
                    "Also build the program with nvcc, run it on the GPU here, and put times and "
                    "counters beside the counts");
  command->add_flag("--stop", flags.stop, "End the program at its first mistake");
  many("--allow-write", flags.writable, "A folder that the program may write to (repeatable)",
       "DIR");
  command->add_option("--limit", flags.limit, "Seconds after which the program is ended")
      ->capture_default_str()
      ->check(above_zero)
      ->type_name("SECONDS");
  command->add_flag("--json", flags.json, "Print JSON, the program's output in it");
  command->footer(kRunNotes);
}

int run_command(const RunFlags& flags, const Fronts& fronts, app::GpuService& gpu) {
  const app::ProgramRequest request = request_of(flags);
  const auto wrong = [&](const std::string& message, const std::string& hint) {
    print_diagnostics({flag_error(message, hint)}, fronts);
    return kUsage;
  };
  if (request.compile.files.empty())
    return wrong(flags.words.front() + ": no CUDA C++ file",
                 "files end in .cu, .cpp, .cc, .cxx or .c");
  for (const std::string& file : request.compile.files)
    if (!std::filesystem::is_regular_file(file)) return wrong(file + ": no such file", "");
  if (!flags.device.empty() && find_device(flags.device) == nullptr)
    return wrong("--device " + flags.device + ": no such device", "devices: " + device_names());
  for (const std::string& folder : flags.writable)
    if (!std::filesystem::is_directory(folder))
      return wrong("--allow-write " + folder + ": no such folder", "");
  const Measure measure = [&](const app::ProgramResult& result) {
    return flags.measure && result.started && !is_stopped(result)
               ? std::optional(measure_program(request, flags.program.cuda, result.launches, gpu))
               : std::nullopt;
  };
  RunProgress progress(fronts.err, fronts.progress);
  const CatchInterrupt interrupt;
  app::ProgramWatch watch = watch_of(flags, progress);
  if (flags.json) return run_for_json(request, watch, progress, measure, fronts);
  watch.wrote = [&](std::string_view text, bool is_error) {
    progress.make_room(text);
    (is_error ? fronts.err : fronts.out) << text << std::flush;
  };
  const app::ProgramResult result = app::run_program(request, watch);
  progress.erase();
  print_diagnostics(result.diagnostics, fronts);
  print_mistakes(result, fronts.err);
  print_launches(result.launches, fronts.out);
  if (const auto measured = measure(result)) print_measured(result.launches, *measured, fronts);
  return program_status(result);
}

}  // namespace lanescope::cli
