// `lanescope analyze`: the counts of a launch.
#pragma once

#include "cli/kernel/settings_flags.h"
#include "cli/text/fronts.h"

namespace lanescope::cli {

/// Returns the exit status.
int analyze_command(const app::Catalog& catalog, const LaunchFlags& flags, const Fronts& fronts);

}  // namespace lanescope::cli
