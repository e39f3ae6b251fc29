#include "core/program/program_request.h"

#include <nlohmann/json.hpp>

#include "core/run/totals.h"

namespace lanescope::app {

std::string to_text(const ProgramRequest& request) {
  Json macros = Json::array();
  for (const MacroDefinition& macro : request.compile.macros)
    macros.push_back({macro.name, macro.value});
  const Json json = {{"files", request.compile.files},
                     {"texts", request.compile.texts},
                     {"include_folders", request.compile.include_folders},
                     {"macros", macros},
                     {"standard", request.compile.standard},
                     {"cuda_headers", request.compile.cuda_headers},
                     {"kept_folder", request.compile.kept_folder},
                     {"arguments", request.arguments},
                     {"device", request.device},
                     {"threads", request.threads},
                     {"step_budget", request.step_budget},
                     {"check_all", request.check_all},
                     {"every_launch", request.every_launch},
                     {"writable", request.writable},
                     {"memory_bytes", request.memory_bytes},
                     {"capture_file", request.capture_file},
                     {"capture_launch", request.capture_launch},
                     {"stop_at_mistake", request.stop_at_mistake}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ProgramRequest request_from(const std::string& text) {
  const Json json = Json::parse(text);
  ProgramRequest request;
  request.compile.files = json.at("files");
  request.compile.texts = json.at("texts").get<std::map<std::string, std::string>>();
  request.compile.include_folders = json.at("include_folders");
  for (const Json& macro : json.at("macros"))
    request.compile.macros.push_back({macro.at(0), macro.at(1)});
  request.compile.standard = json.at("standard");
  request.compile.cuda_headers = json.at("cuda_headers");
  request.compile.kept_folder = json.at("kept_folder");
  request.arguments = json.at("arguments");
  request.device = json.at("device");
  request.threads = json.at("threads");
  request.step_budget = json.at("step_budget");
  request.check_all = json.at("check_all");
  request.every_launch = json.at("every_launch");
  request.writable = json.at("writable");
  request.memory_bytes = json.at("memory_bytes");
  request.capture_file = json.at("capture_file");
  request.capture_launch = json.at("capture_launch");
  request.stop_at_mistake = json.at("stop_at_mistake");
  return request;
}

}  // namespace lanescope::app
