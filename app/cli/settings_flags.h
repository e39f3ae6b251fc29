// The flags that describe a kernel and its launch, shared by every command that runs one.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/run.h"
#include "session/catalog.h"
#include "session/session_file.h"
#include "session/settings.h"

namespace lanescope::cli {

struct LaunchFlags {
  std::string kernel;                  ///< FILE or KERNEL
  std::string function;                ///< --kernel
  std::vector<std::string> sets;       ///< --set NAME=VALUE
  std::vector<std::string> arguments;  ///< --arg NAME=VALUE
  std::string block, grid, shared;
  std::string blocks;    ///< --blocks; empty takes the command's own default
  unsigned threads = 0;  ///< --threads; 0: one for each core
  bool json = false;
  bool csv = false;  ///< `analyze`: the accesses as a table
  std::string html;  ///< `analyze`: a report into this file
};

void add_launch_flags(CLI::App& app, LaunchFlags& flags, bool kernel_required);
/// The same without FILE or KERNEL, for a command that takes several.
void add_setting_flags(CLI::App& app, LaunchFlags& flags);
void add_blocks_flag(CLI::App& app, LaunchFlags& flags, const std::string& by_default);
void add_json_flag(CLI::App& app, LaunchFlags& flags);

struct SettingsResult {
  std::optional<app::Settings> settings;
  std::optional<app::SessionFile> session;  ///< when they come from a session
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

/// An error about a flag.
Diagnostic flag_error(std::string message, std::string hint = {});
/// The exit status that the diagnostics ask for.
int status_of(const std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope::cli
