// `lanescope sweep`: what every setting of a kernel costs, as a heat table, CSV or JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/kernel/settings_flags.h"
#include "cli/text/fronts.h"

namespace lanescope::cli {

struct SweepFlags {
  LaunchFlags launch;
  std::vector<std::string> vary;
  /// Empty: chosen by what differs
  std::string metric;
  bool csv = false, check = false, recorded = false;
};
void add_sweep_command(CLI::App& app, SweepFlags& flags);
int sweep_command(const app::Catalog& catalog, const SweepFlags& flags, const Fronts& fronts);

}  // namespace lanescope::cli
