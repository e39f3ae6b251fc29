#include "gpu/program/native_program.h"

#include <algorithm>

#include "core/tasks/scratch.h"
#include "core/text/messages.h"
#include "gpu/process/child.h"
#include "gpu/profile/raw_page.h"
#include "gpu/profile/tools.h"
#include "gpu/profile/trouble.h"
#include "gpu/program/launch_matching.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

constexpr double kBuildLimitS = 600, kRunLimitS = 3600;
constexpr std::size_t kMostComplaint = 600;

bool is_cuda(const std::string& file) { return file.ends_with(".cu"); }

/// Through a shell, so that what the compiler says is kept: what runs beside us has no output.
std::vector<std::string> build_command(const std::string& compiler,
                                       const app::ProgramRequest& request,
                                       const app::Scratch& scratch) {
  std::vector<std::string> command = {
      "/bin/sh", "-c", R"(log=$1; shift; exec "$@" >"$log" 2>&1)", "sh", scratch.file("build.log"),
      compiler};
  command.insert(command.end(),
                 {"-O3", "-lineinfo", "-arch=native", "-std=" + request.compile.standard, "-o",
                  scratch.file("program")});
  for (const std::string& folder : request.compile.include_folders) {
    command.emplace_back("-I");
    command.push_back(folder);
  }
  for (const MacroDefinition& macro : request.compile.macros)
    command.push_back("-D" + macro.name + (macro.value.empty() ? "" : "=" + macro.value));
  const auto& files = request.compile.files;
  if (std::count_if(files.begin(), files.end(), is_cuda) > 1) command.emplace_back("-rdc=true");
  command.insert(command.end(), files.begin(), files.end());
  command.insert(command.end(), {"-lcublas", "-lcurand", "-lcuda"});
  return command;
}

std::vector<std::string> run_command(const std::string& profiler,
                                     const app::ProgramRequest& request,
                                     const std::vector<app::LaunchRecord>& simulated,
                                     const app::Scratch& scratch) {
  ProfiledEngines engines;
  for (const app::LaunchRecord& launch : simulated) {
    const app::Totals& totals = launch.totals;
    engines.products |= totals.shared_product.requests > 0;
    engines.copies |= totals.global_bulk_load.requests + totals.global_bulk_store.requests > 0;
  }
  std::vector<std::string> command =
      profiler_command(profiler, scratch.file("profile.csv"), engines, kDuration);
  command.insert(command.end(),
                 {"--launch-count", std::to_string(kMostProfiled), scratch.file("program")});
  command.insert(command.end(), request.arguments.begin(), request.arguments.end());
  return command;
}

std::string beginning(const std::string& text) {
  return text.size() <= kMostComplaint ? text : text.substr(0, kMostComplaint) + "…";
}

MeasuredLaunch measured(const ProfiledLaunch& launch, const std::string& tool) {
  MeasuredLaunch result;
  result.counters = {launch.values, tool};
  if (const auto nanoseconds = result.counters.get(kDuration))
    result.microseconds = static_cast<double>(*nanoseconds) / 1e3;
  result.counters.values.erase(kDuration);
  return result;
}

}  // namespace

NativeRun run_natively(const app::ProgramRequest& request, const std::string& toolkit,
                       const std::vector<app::LaunchRecord>& simulated,
                       const std::stop_token& stop) {
  const std::string compiler = find_tool("nvcc", toolkit), profiler = find_tool("ncu", toolkit);
  if (compiler.empty()) return {unsupported(say::no_nvcc, say::install_nvcc), {}};
  if (profiler.empty()) return {unsupported(say::no_profiler, say::install_profiler), {}};
  const app::Scratch scratch;
  if (scratch.path().empty()) return {unsupported(say::profiler_did_not_run), {}};
  if (run_program(build_command(compiler, request, scratch), kBuildLimitS, stop) != 0)
    return {unsupported(say::nvcc_failed(beginning(scratch.content("build.log")))), {}};
  // The program's own exit status is the profiler's too: the list tells whether it ran.
  run_program(run_command(profiler, request, simulated, scratch), kRunLimitS, stop);
  const std::string page = scratch.content("profile.csv");
  const std::vector<ProfiledLaunch> profiled = parse_raw_page(page);
  if (profiled.empty())
    return {parse_profiler_error(page).value_or(unsupported(say::no_launch_seen)), {}};
  NativeRun result;
  const std::string tool = profiler_name(profiler);
  for (const auto& index : match_launches(simulated, profiled))
    result.launches.push_back(index ? std::optional(measured(profiled[*index], tool))
                                    : std::nullopt);
  return result;
}

}  // namespace lanescope::gpu
