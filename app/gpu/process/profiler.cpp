#include "gpu/process/profiler.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/tasks/scratch.h"
#include "core/text/messages.h"
#include "gpu/process/child.h"
#include "gpu/process/message_json.h"

namespace lanescope::gpu {

namespace say = app::say;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr double kLimitS = 300;

// Metrics of the hardware's pipes, of the executed addresses (sass), and the source page's own.
const std::vector<std::string>& metrics() {
  static const std::vector<std::string> kMetrics = [] {
    std::vector<std::string> names;
    for (const char* op : {"ld", "st"}) {
      const std::string end = std::string(op) + ".sum";
      names.push_back("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + end);
      names.push_back("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + end);
      names.push_back("l1tex__t_requests_pipe_lsu_mem_global_op_" + end);
      names.push_back("l1tex__t_sectors_pipe_lsu_mem_global_op_" + end);
      names.push_back("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" + end);
      names.push_back("smsp__sass_inst_executed_op_shared_" + end);
    }
    names.push_back("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum");
    for (const char* name :
         {"memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal",
          "memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal"})
      names.push_back(name);
    return names;
  }();
  return kMetrics;
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::string content(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string find_profiler() {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("PATH")) {
    std::istringstream stream(path);
    for (std::string folder; std::getline(stream, folder, ':');) folders.push_back(folder);
  }
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(name)) folders.push_back(std::string(value) + "/bin");
  folders.push_back("/usr/local/cuda/bin");
  for (const std::string& folder : folders) {
    const std::string path = folder + "/ncu";
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

Diagnostic problem(Message message, Message hint = {}) {
  Diagnostic result;
  result.kind = DiagnosticKind::unsupported;
  result.message = std::move(message), result.hint = std::move(hint);
  return result;
}

std::vector<app::Measurement> all_failed(const std::vector<Request>& requests,
                                         const Diagnostic& why) {
  std::vector<app::Measurement> results;
  for (const Request& request : requests) {
    results.push_back(measurement_of(request));
    results.back().diagnostics.push_back(why);
  }
  return results;
}

// One line of CSV with quotes; commas inside them are the thousands' separators or a name's own.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      result.emplace_back();
    else if (c != '\r')
      result.back() += c;
  }
  return result;
}

std::optional<std::uint64_t> whole(std::string text) {
  std::erase(text, ',');
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos)
    return std::nullopt;
  return static_cast<std::uint64_t>(std::stod(text));
}

std::string tool_name(const std::string& profiler) {
  const std::string path = fs::weakly_canonical(profiler).string();
  const std::size_t at = path.find("nsight-compute/");
  const std::string version = at == std::string::npos ? "" : path.substr(at + 15);
  return "Nsight Compute" + (version.empty() ? "" : " " + version.substr(0, version.find('/')));
}

std::vector<std::string> command_for(const std::string& profiler,
                                     const std::vector<Request>& requests,
                                     const app::Scratch& scratch,
                                     const std::vector<std::string>& worker) {
  std::set<std::string> names;
  for (const Request& request : requests) names.insert(base_name(request.function));
  std::vector<std::string> command = {profiler,
                                      "--clock-control",
                                      "none",
                                      "--csv",
                                      "--page",
                                      "raw",
                                      "--metrics",
                                      joined(metrics(), ","),
                                      "--kernel-name-base",
                                      "function",
                                      "--kernel-name",
                                      "regex:^(" + joined({names.begin(), names.end()}, "|") + ")$",
                                      "--log-file",
                                      scratch.file("profile.csv")};
  command.insert(command.end(), worker.begin(), worker.end());
  command.push_back(scratch.file("requests.json"));
  return command;
}

// Launches that took place, in order, beside those that the profiler saw.
std::vector<app::Measurement> matched(const std::vector<Request>& requests,
                                      const app::Scratch& scratch, const std::string& tool) {
  const std::string text = content(scratch.file("profile.csv"));
  const std::vector<ProfiledLaunch> launches = parse_raw_page(text);
  if (launches.empty()) {
    const auto error = parse_profiler_error(text);
    return all_failed(requests, error.value_or(problem(say::no_launch_seen)));
  }
  std::istringstream done(content(scratch.file("requests.json.done")));
  std::vector<app::Measurement> results;
  std::size_t next = 0;
  for (const Request& request : requests) {
    std::string line;
    app::Measurement result = measurement_of(request);
    if (std::getline(done, line)) {
      const Json json = Json::parse(line, nullptr, false);
      if (auto told = json.is_discarded() ? std::nullopt : received(json))
        result = std::move(*told);
    }
    const bool launched = !has_errors(result.diagnostics);
    if (launched && next < launches.size() &&
        base_name(launches[next].function) == base_name(request.function)) {
      result.counters = app::Counters{launches[next++].values, tool};
    } else if (launched) {
      result.diagnostics.push_back(problem(say::launch_not_listed));
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace

std::string base_name(const std::string& function) {
  std::string name = function.substr(0, function.find_first_of("<("));
  while (!name.empty() && name.back() == ' ') name.pop_back();
  const std::size_t space = name.find_last_of(" :");  // "void k", "space::k"
  return space == std::string::npos ? name : name.substr(space + 1);
}

std::vector<ProfiledLaunch> parse_raw_page(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> headings;
  std::vector<ProfiledLaunch> result;
  for (std::string line; std::getline(stream, line);) {
    if (headings.empty()) {
      if (line.starts_with("\"ID\"")) headings = cells(line);
      continue;
    }
    const std::vector<std::string> row = cells(line);
    if (row.size() != headings.size() || row.front().empty()) continue;  // the line of units
    ProfiledLaunch launch;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (headings[i] == "Kernel Name") launch.function = row[i];
      // The page also lists attributes of the device.
      const bool metric =
          std::find(metrics().begin(), metrics().end(), headings[i]) != metrics().end();
      if (const auto value = metric ? whole(row[i]) : std::nullopt)
        launch.values[headings[i]] = *value;
    }
    result.push_back(std::move(launch));
  }
  return result;
}

std::optional<Diagnostic> parse_profiler_error(const std::string& text) {
  if (text.find("ERR_NVGPUCTRPERM") != std::string::npos ||
      text.find("does not have permission") != std::string::npos) {
    return problem(say::counters_not_allowed, say::allow_counters);
  }
  const std::size_t at = text.find("==ERROR==");
  if (at == std::string::npos) return std::nullopt;
  const std::string line = text.substr(at + 9, text.find('\n', at) - at - 9);
  return problem(Message::verbatim("Nsight Compute:" + line));
}

std::vector<app::Measurement> profile(const std::vector<Request>& requests,
                                      std::vector<std::string> worker,
                                      const std::stop_token& stop) {
  const std::string profiler = find_profiler();
  if (profiler.empty()) {
    return all_failed(requests, problem(say::no_profiler, say::install_profiler));
  }
  const app::Scratch scratch;
  Json json = Json::array();
  for (const Request& request : requests) json.push_back(to_json(request));
  std::ofstream(scratch.file("requests.json"))
      << json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const int status = run_program(command_for(profiler, requests, scratch, worker), kLimitS, stop);
  if (status < 0 && scratch.path().empty())
    return all_failed(requests, problem(say::profiler_did_not_run));
  return matched(requests, scratch, tool_name(profiler));
}

}  // namespace lanescope::gpu
