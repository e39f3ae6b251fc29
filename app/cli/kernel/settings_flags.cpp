#include "cli/kernel/settings_flags.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "cli/text/fronts.h"
#include "core/kernel/compile_request.h"
#include "core/text/messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"
#include "program/process/capture.h"

namespace lanescope::cli {

namespace {

constexpr std::uint64_t kMostNamedBlocks =
    1u << 24;  // listed one by one; more are asked for with "all"

std::optional<Dim3> extents(const char* flag, const std::string& text,
                            std::vector<Diagnostic>& diagnostics) {
  if (text.empty()) return std::nullopt;
  const auto value = app::parse_dim3(text);
  if (!value) {
    diagnostics.push_back(
        flag_error(std::string(flag) + " " + text +
                       ": not X, X,Y or X,Y,Z in whole numbers from 1 to 4294967295",
                   std::string("for example ") + flag + " 32,8"));
  }
  return value;
}

std::map<std::string, std::string> pairs(const char* flag, const std::vector<std::string>& texts,
                                         std::vector<Diagnostic>& diagnostics) {
  std::map<std::string, std::string> result;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name(app::trim(std::string_view(text).substr(0, equals)));
    if (equals == std::string::npos || name.empty()) {
      diagnostics.push_back(flag_error(std::string(flag) + " " + text + ": not NAME=VALUE"));
    } else if (!result.emplace(name, text.substr(equals + 1)).second) {
      diagnostics.push_back(
          flag_error(std::string(flag) + " " + text + ": " + name + " is given twice"));
    }
  }
  return result;
}

std::vector<Dim3> first_blocks(std::uint64_t count, Dim3 grid) {
  std::vector<Dim3> result;
  result.reserve(count);
  Dim3 at{0, 0, 0};
  for (std::uint64_t i = 0; i < count; ++i) {
    result.push_back(at);
    if (++at.x < grid.x) continue;
    at.x = 0;
    if (++at.y < grid.y) continue;
    at.y = 0;
    ++at.z;
  }
  return result;
}

}  // namespace

void add_launch_flags(CLI::App& app, LaunchFlags& flags, bool kernel_required) {
  CLI::Option* kernel = app.add_option(
      "kernel", flags.kernel, "A kernel's name, as 'lanescope list' gives it, or a CUDA C++ file");
  if (kernel_required) kernel->required();
  add_setting_flags(app, flags);
}

void add_setting_flags(CLI::App& app, LaunchFlags& flags) {
  const auto one = [](CLI::Option* option, const char* type) {
    option->allow_extra_args(false)->type_name(type);
  };
  one(app.add_option("--kernel", flags.function,
                     "The kernel in the file, or a template instance: 'k_smem<float,32,8,1>'"),
      "FN");
  one(app.add_option("--set", flags.sets,
                     "A tunable parameter; for any other file, a macro (repeatable)"),
      "NAME=VALUE");
  app.add_option("--launch", flags.launch,
                 "The file is a whole program: its launch of this number, counted from 0, with the "
                 "program's own data; what it is given follows --")
      ->type_name("N");
  one(app.add_option("--source", flags.program.files,
                     "With --launch: a further file of the program, which has other code than the "
                     "launch's kernel (repeatable)"),
      "FILE");
  add_program_flags(app, flags.program);
  one(app.add_option("--block", flags.block, "Threads of a block"), "X[,Y[,Z]]");
  one(app.add_option("--grid", flags.grid, "Blocks of the grid"), "X[,Y[,Z]]");
  one(app.add_option("--shared", flags.shared, "Dynamic shared memory, bytes"), "BYTES");
  one(app.add_option("--arg", flags.arguments,
                     "A kernel argument: a number, a buffer TYPE[COUNT], optionally with :index, "
                     ":zero, :poison, :random or :file=NAME, auto for a buffer whose size the run "
                     "finds, or null; of a struct its members: 'p={1, 2.5, {3, 4}}' (repeatable)"),
      "NAME=VALUE");
}

void add_blocks_flag(CLI::App& app, LaunchFlags& flags, const std::string& by_default) {
  app.add_option("--blocks", flags.blocks,
                 "Which blocks to execute: all, the first N, or the one at X,Y[,Z]; default: " +
                     by_default)
      ->type_name("all|N|X,Y[,Z]");
  app.add_option("--threads", flags.threads,
                 "Cores to use; the output is the same with any number; default: all")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  add_steps_flag(app, flags);
}

void add_steps_flag(CLI::App& app, LaunchFlags& flags) {
  app.add_option("--steps", flags.steps,
                 "Warp instructions that a block may execute before it counts as endless; "
                 "default: 200000000")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 60))
      ->type_name("N");
}

void add_json_flag(CLI::App& app, LaunchFlags& flags) {
  app.add_flag("--json", flags.json, "Print JSON");
}

namespace {

// A kernel, a file, or a session with all that was chosen in it.
SettingsResult open_any(const app::Catalog& catalog, const std::string& name) {
  if (!app::is_session_file(name)) {
    app::OpenResult opened = app::open_kernel(catalog, name);
    return {std::move(opened.settings), std::nullopt, std::move(opened.diagnostics)};
  }
  app::SessionFileResult read = app::read_session(name);
  if (!read.session) return {std::nullopt, std::nullopt, std::move(read.diagnostics)};
  return {read.session->settings, read.session, {}};
}

}  // namespace

namespace {

/// Of a program's own launch there is nothing to choose but how its kernel is compiled and cut into blocks.
std::vector<Diagnostic> misplaced_with_launch(const LaunchFlags& flags) {
  std::vector<Diagnostic> wrong;
  const auto refuse = [&](const std::string& flag, const std::string& what) {
    wrong.push_back(flag_error(
        flag + " does not go with --launch: " + what + " the program's own",
        "leave one of them out; --set, --block and --grid of as many threads go with --launch"));
  };
  if (!flags.function.empty()) refuse("--kernel " + flags.function, "the kernel is");
  if (!flags.arguments.empty()) refuse("--arg " + flags.arguments.front(), "arguments are");
  if (!flags.shared.empty()) refuse("--shared " + flags.shared, "dynamic shared memory is");
  return wrong;
}

/// A launch of the program that the file is, with the program's own data.
SettingsResult take_launch(SettingsResult opened, const LaunchFlags& flags) {
  app::Settings& settings = *opened.settings;
  ProgramFlags program = flags.program;
  program.files.insert(program.files.begin(), settings.file);
  app::CaptureResult captured = app::capture_launch(program_request(program), *flags.launch);
  if (captured.launch == nullptr)
    return {std::nullopt, std::nullopt, std::move(captured.diagnostics)};
  settings.kernel = captured.launch->program->info().name;
  settings.captured = std::move(captured.launch);
  opened.diagnostics = std::move(captured.diagnostics);
  return opened;
}

}  // namespace

namespace {

/// -I, -D and --std of a text whose kernels alone are wanted.
void add_compile_flags(const ProgramFlags& flags, app::CompileFlags& compile,
                       std::vector<Diagnostic>& diagnostics) {
  for (const std::string& folder : flags.include_folders) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      diagnostics.push_back(flag_error("-I " + folder + ": no such folder"));
    compile.include_folders.push_back(app::absolute_path(folder));
  }
  for (const std::string& text : flags.macros) {
    const MacroDefinition macro = app::macro_of(text);
    if (!app::is_identifier(macro.name.substr(0, macro.name.find('('))))
      diagnostics.push_back(
          flag_error(app::say::macro_no_name(text, macro.name).english(), "for example -D N=1024"));
    compile.macros[macro.name] = macro.value;
  }
  if (!flags.standard.empty()) compile.standard = flags.standard;
}

}  // namespace

// What flags say comes on top of what a session has.
SettingsResult settings_from(const app::Catalog& catalog, const LaunchFlags& flags) {
  SettingsResult opened = open_any(catalog, flags.kernel);
  if (!opened.settings) return opened;
  std::vector<Diagnostic> diagnostics;
  app::Settings& settings = *opened.settings;
  for (const std::string& file : flags.program.files)
    if (!flags.launch)
      diagnostics.push_back(flag_error("--source " + file + " goes with --launch"));
    else if (!std::filesystem::is_regular_file(file))
      diagnostics.push_back(flag_error("--source " + file + ": no such file"));
  if (flags.launch) {
    std::ranges::copy(misplaced_with_launch(flags), std::back_inserter(diagnostics));
  } else {
    add_compile_flags(flags.program, settings.compile, diagnostics);
  }
  if (!flags.function.empty()) settings.kernel = flags.function;
  for (const auto& [name, value] : pairs("--set", flags.sets, diagnostics))
    settings.parameters[name] = value;
  for (const auto& [name, value] : pairs("--arg", flags.arguments, diagnostics))
    settings.arguments[name] = value;
  if (!flags.block.empty()) settings.block = extents("--block", flags.block, diagnostics);
  if (!flags.grid.empty()) settings.grid = extents("--grid", flags.grid, diagnostics);
  if (!flags.shared.empty()) {
    const auto bytes = app::parse_unsigned(flags.shared);
    if (bytes && *bytes <= 0xffffffffull) {
      settings.shared_bytes = static_cast<std::uint32_t>(*bytes);
    } else {
      diagnostics.push_back(flag_error("--shared " + flags.shared + ": not a number of bytes"));
    }
  }
  if (has_errors(diagnostics)) return {std::nullopt, std::nullopt, std::move(diagnostics)};
  if (flags.launch) {
    opened = take_launch(std::move(opened), flags);
    if (!opened.settings) return opened;
  }
  if (opened.session) opened.session->settings = *opened.settings;
  return opened;
}

BlockChoice choose_blocks(const std::string& text, Dim3 grid) {
  BlockChoice choice;
  const auto failed = [&](const std::string& why, const std::string& hint) {
    choice.diagnostics.push_back(flag_error("--blocks " + text + ": " + why, hint));
    return choice;
  };
  if (text.empty() || text == "all") return choice;
  choice.all = false;
  if (text.find(',') != std::string::npos) {
    const auto block = app::parse_dim3(text);
    Dim3 at = block.value_or(Dim3{0, 0, 0});
    if (std::count(text.begin(), text.end(), ',') == 1) at.z = 0;
    if (!block) return failed("not a block's coordinate", "for example --blocks 3,0");
    if (at.x >= grid.x || at.y >= grid.y || at.z >= grid.z) {
      return failed("no such block",
                    "the grid is " + app::dim3_text(grid) + ", coordinates start at 0");
    }
    choice.blocks = {at};
    return choice;
  }
  const auto count = app::parse_unsigned(text);
  if (!count || *count == 0)
    return failed("not all, a number of blocks from 1, or a coordinate X,Y[,Z]",
                  "for example --blocks 16");
  choice.all = *count >= grid.count();
  if (choice.all) return choice;
  if (*count > kMostNamedBlocks)
    return failed(fmt::format("more than {} blocks, but not all", kMostNamedBlocks),
                  "--blocks all");
  choice.blocks = first_blocks(*count, grid);
  return choice;
}

Diagnostic flag_error(std::string message, std::string hint) {
  return app::usage_error("lanescope", Message::verbatim(std::move(message)),
                          Message::verbatim(std::move(hint)));
}

int usage(const Fronts& fronts, std::string message, std::string hint) {
  print_diagnostics({flag_error(std::move(message), std::move(hint))}, fronts);
  return kUsage;
}

int status_of(const std::vector<Diagnostic>& diagnostics) {
  int status = kFine;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    if (diagnostic.kind == DiagnosticKind::internal) return kInternal;
    status = std::max<int>(status, diagnostic.kind == DiagnosticKind::usage ? kUsage : kFailed);
  }
  return status;
}

}  // namespace lanescope::cli
