// `lanescope trace`: every access of the chosen blocks, lane by lane.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/kernel/settings_flags.h"
#include "cli/text/fronts.h"

namespace lanescope::cli {

/// `warp`: this one alone. Returns the exit status.
int trace_command(const app::Catalog& catalog, const LaunchFlags& flags,
                  std::optional<std::uint32_t> warp, const Fronts& fronts);

}  // namespace lanescope::cli
