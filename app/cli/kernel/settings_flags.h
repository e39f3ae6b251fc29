// The flags that describe a kernel and its launch, shared by every command that runs one.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/kernel/program_flags.h"
#include "cli/text/fronts.h"
#include "core/files/session_file.h"
#include "core/kernel/catalog.h"
#include "core/kernel/settings.h"
#include "lanescope/diagnostic.h"
#include "lanescope/run.h"

namespace lanescope::cli {

struct LaunchFlags {
  /// FILE or KERNEL
  std::string kernel;
  /// --kernel
  std::string function;
  /// --set NAME=VALUE
  std::vector<std::string> sets;
  /// --arg NAME=VALUE
  std::vector<std::string> arguments;
  std::string block, grid, shared;
  /// --blocks; empty takes the command's own default
  std::string blocks;
  /// --threads; 0: one for each core
  unsigned threads = 0;
  /// --steps: warp instructions that a block may execute; 0 takes the engine's own budget
  std::uint64_t steps = 0;
  /// --launch: of the program that FILE is
  std::optional<std::uint64_t> launch;
  ProgramFlags program;
  bool json = false;
  /// `analyze`: the accesses as a table
  bool csv = false;
  /// `analyze`: a report into this file
  std::string html;
};

void add_launch_flags(CLI::App& app, LaunchFlags& flags, bool kernel_required);
/// The same without FILE or KERNEL, for a command that takes several.
void add_setting_flags(CLI::App& app, LaunchFlags& flags);
void add_blocks_flag(CLI::App& app, LaunchFlags& flags, const std::string& by_default);
/// Comes with --blocks; alone for a command without.
void add_steps_flag(CLI::App& app, LaunchFlags& flags);
void add_json_flag(CLI::App& app, LaunchFlags& flags);

struct SettingsResult {
  std::optional<app::Settings> settings;
  /// When they come from a session
  std::optional<app::SessionFile> session;
  std::vector<Diagnostic> diagnostics;
};
SettingsResult settings_from(const app::Catalog& catalog, const LaunchFlags& flags);

/// Which blocks of the grid to execute. `diagnostics` has the error if the text makes no sense.
struct BlockChoice {
  bool all = true;
  std::vector<Dim3> blocks;
  std::vector<Diagnostic> diagnostics;
};
BlockChoice choose_blocks(const std::string& text, Dim3 grid);

/// An error about a flag, which is English in every language: the command line has no other.
Diagnostic flag_error(std::string message, std::string hint = {});
/// Prints such an error; the exit status that it asks for.
int usage(const Fronts& fronts, std::string message, std::string hint = {});
/// The exit status that the diagnostics ask for.
int status_of(const std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope::cli
