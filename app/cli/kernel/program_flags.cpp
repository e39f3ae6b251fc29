#include "cli/kernel/program_flags.h"

#include <algorithm>

#include "core/kernel/compile_request.h"
#include "core/program/memory_size.h"
#include "core/program/program_input.h"
#include "core/text/text_file.h"

namespace lanescope::cli {
namespace {

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
  app.add_option("--std", flags.standard, "The language's standard; default: c++17")
      ->check(CLI::IsMember(app::language_standards()))
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
  for (const std::string& text : flags.macros)
    request.compile.macros.push_back(app::macro_of(text));
  if (!flags.standard.empty()) request.compile.standard = flags.standard;
  request.memory_bytes = app::size_of(flags.memory).value_or(app::usual_memory());
  request.compile.cuda_headers = app::toolkit_headers(flags.cuda);
  request.compile.kept_folder = app::cache_folder();
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
