#include "gpu/process/profiler.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/tasks/scratch.h"
#include "core/text/messages.h"
#include "gpu/process/child.h"
#include "gpu/process/message_json.h"
#include "gpu/profile/raw_page.h"
#include "gpu/profile/tools.h"
#include "gpu/profile/trouble.h"

namespace lanescope::gpu {

namespace say = app::say;
using Json = nlohmann::ordered_json;

namespace {

constexpr double kLimitS = 300;

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
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

std::vector<std::string> command_for(const std::string& profiler,
                                     const std::vector<Request>& requests,
                                     const app::Scratch& scratch,
                                     const std::vector<std::string>& worker) {
  std::set<std::string> names;
  for (const Request& request : requests) names.insert(base_name(request.function));
  const auto any_says = [&](const char* opcode) {
    return std::any_of(requests.begin(), requests.end(), [opcode](const Request& request) {
      return request.text.find(opcode) != std::string::npos;
    });
  };
  const ProfiledEngines engines{.products = any_says("wgmma."),
                                .copies = any_says("cp.async.bulk")};
  std::vector<std::string> command =
      profiler_command(profiler, scratch.file("profile.csv"), engines);
  command.insert(command.end(),
                 {"--kernel-name", "regex:^(" + joined({names.begin(), names.end()}, "|") + ")$"});
  command.insert(command.end(), worker.begin(), worker.end());
  command.push_back(scratch.file("requests.json"));
  return command;
}

// Launches that took place, in order, beside those that the profiler saw.
std::vector<app::Measurement> matched(const std::vector<Request>& requests,
                                      const app::Scratch& scratch, const std::string& tool) {
  const std::string text = scratch.content("profile.csv");
  const std::vector<ProfiledLaunch> launches = parse_raw_page(text);
  if (launches.empty()) {
    const auto error = parse_profiler_error(text);
    return all_failed(requests, error.value_or(unsupported(say::no_launch_seen)));
  }
  std::istringstream done(scratch.content("requests.json.done"));
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
      result.diagnostics.push_back(unsupported(say::launch_not_listed));
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace

std::vector<app::Measurement> profile(const std::vector<Request>& requests,
                                      std::vector<std::string> worker,
                                      const std::stop_token& stop) {
  const std::string profiler = find_tool("ncu");
  if (profiler.empty()) {
    return all_failed(requests, unsupported(say::no_profiler, say::install_profiler));
  }
  const app::Scratch scratch;
  Json json = Json::array();
  for (const Request& request : requests) json.push_back(to_json(request));
  std::ofstream(scratch.file("requests.json"))
      << json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const int status = run_program(command_for(profiler, requests, scratch, worker), kLimitS, stop);
  if (status < 0 && scratch.path().empty())
    return all_failed(requests, unsupported(say::profiler_did_not_run));
  return matched(requests, scratch, profiler_name(profiler));
}

}  // namespace lanescope::gpu
