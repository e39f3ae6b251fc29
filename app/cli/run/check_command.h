// `lanescope check`: files against conditions, for grading.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/kernel/settings_flags.h"
#include "cli/text/fronts.h"

namespace lanescope::cli {

struct CheckFlags {
  LaunchFlags launch;
  std::vector<std::string> files, expect;
  bool csv = false;
};
void add_check_command(CLI::App& app, CheckFlags& flags);
int check_command(const app::Catalog& catalog, const CheckFlags& flags, const Fronts& fronts);

}  // namespace lanescope::cli
