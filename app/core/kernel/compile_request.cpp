#include "core/kernel/compile_request.h"

#include <filesystem>

namespace lanescope::app {

const std::vector<std::string>& language_standards() {
  static const std::vector<std::string> kStandards{"c++11",   "c++14",   "c++17",   "c++20",
                                                   "c++23",   "gnu++11", "gnu++14", "gnu++17",
                                                   "gnu++20", "gnu++23"};
  return kStandards;
}

MacroDefinition macro_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, "1"};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

CompileFlags merged(const CompileFlags& chosen, const CompileFlags& front_matter,
                    const std::string& file) {
  CompileFlags all = chosen;
  const std::filesystem::path own = std::filesystem::path(file).parent_path();
  for (const std::string& folder : front_matter.include_folders)
    all.include_folders.push_back((own / folder).string());
  all.macros.insert(front_matter.macros.begin(), front_matter.macros.end());
  if (all.standard.empty()) all.standard = front_matter.standard;
  return all;
}

CompileRequest compile_request(const Settings& settings, const FrontMatter& front_matter,
                               const std::map<std::string, std::string>& parameters,
                               std::stop_token stop) {
  CompileRequest request;
  request.stop = std::move(stop);
  request.file = settings.file;
  request.text = settings.text;
  const CompileFlags flags = merged(settings.compile, front_matter.compile, settings.file);
  request.include_folders = flags.include_folders;
  if (!flags.standard.empty()) request.standard = flags.standard;
  for (const auto& [name, value] : parameters) request.macros.push_back({name, value});
  // A tunable parameter has been given its value already.
  for (const auto& [name, value] : flags.macros)
    if (!parameters.contains(name)) request.macros.push_back({name, value});
  return request;
}

}  // namespace lanescope::app
