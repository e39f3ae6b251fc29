#include "cli/kernel/program_flags.h"

#include <algorithm>

#include "core/kernel/compile_request.h"
#include "core/program/program_input.h"

namespace lanescope::cli {
void add_program_flags(CLI::App& app, ProgramFlags& flags) {
  const auto many = [&](const char* name, std::vector<std::string>& to, const char* what,
                        const char* type) {
    app.add_option(name, to, what)->allow_extra_args(false)->type_name(type);
  };
  many("-I", flags.include_folders, "A folder to look for headers in (repeatable)", "DIR");
  many("-D", flags.macros, "A macro (repeatable)", "NAME[=VALUE]");
  app.add_option("--std", flags.standard, "The language's standard; default: c++17")
      ->check(CLI::IsMember(app::language_standards()))
      ->type_name("NAME");
  app.add_option("--cuda", flags.cuda, "A CUDA toolkit, for headers that are not built in")
      ->type_name("DIR");
}

app::ProgramRequest program_request(const ProgramFlags& flags) {
  app::ProgramRequest request;
  request.compile.files = flags.files;
  request.arguments = flags.arguments;
  request.compile.include_folders = flags.include_folders;
  for (const std::string& text : flags.macros)
    request.compile.macros.push_back(app::macro_of(text));
  if (!flags.standard.empty()) request.compile.standard = flags.standard;
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
