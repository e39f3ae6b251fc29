#include "cli/kernel/program_flags.h"

#include <algorithm>

#include "core/program/memory_size.h"
#include "core/program/program_input.h"

namespace lanescope::cli {
namespace {

/// "N=1024" → {"N", "1024"}; "FAST" → {"FAST", "1"}.
MacroDefinition macro_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, "1"};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// What is wrong with it, as CLI11 wants it; empty if nothing is.
std::string a_size(const std::string& text) {
  return app::size_of(text) ? "" : "a size such as 512M or 16G is wanted, not " + text;
}

}  // namespace

void add_program_flags(CLI::App& app, ProgramFlags& flags) {
  const auto many = [&](const char* name, std::vector<std::string>& to, const char* what,
                        const char* type) {
    app.add_option(name, to, what)->allow_extra_args(false)->type_name(type);
  };
  many("-I", flags.include_folders, "A folder to look for headers in (repeatable)", "DIR");
  many("-D", flags.macros, "A macro (repeatable)", "NAME[=VALUE]");
  app.add_option("--std", flags.standard, "The language's standard")
      ->capture_default_str()
      ->check(CLI::IsMember({"c++11", "c++14", "c++17", "c++20", "c++23", "gnu++11", "gnu++14",
                             "gnu++17", "gnu++20", "gnu++23"}))
      ->type_name("NAME");
  app.add_option("--cuda", flags.cuda, "A CUDA toolkit, for headers that are not built in")
      ->type_name("DIR");
  app.add_option("--memory", flags.memory,
                 "What the program may take of this machine's memory, host code and simulated "
                 "device; default: " +
                     app::size_text(app::usual_memory()))
      ->check(a_size)
      ->type_name("SIZE");
}

app::ProgramRequest program_request(const ProgramFlags& flags) {
  app::ProgramRequest request;
  request.compile.files = flags.files;
  request.arguments = flags.arguments;
  request.compile.include_folders = flags.include_folders;
  for (const std::string& text : flags.macros) request.compile.macros.push_back(macro_of(text));
  request.compile.standard = flags.standard;
  request.memory_bytes = app::size_of(flags.memory).value_or(app::usual_memory());
  request.compile.cuda_headers = app::toolkit_headers(flags.cuda);
  return request;
}

std::vector<std::string> take_program_arguments(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  std::vector<std::string> rest(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  return rest;
}

}  // namespace lanescope::cli
