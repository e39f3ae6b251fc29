// The subcommands. Each returns the exit status.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/cli.h"
#include "cli/settings_flags.h"

namespace lanescope::cli {

int list_command(const app::Catalog& catalog, bool json, const Fronts& fronts);
int analyze_command(const app::Catalog& catalog, const LaunchFlags& flags, const Fronts& fronts);
int trace_command(const app::Catalog& catalog, const LaunchFlags& flags,
                  std::optional<std::uint32_t> warp, const Fronts& fronts);

/// To stderr, as `file:line:column: error: …`.
void print_diagnostics(const std::vector<Diagnostic>& diagnostics, const Fronts& fronts);

}  // namespace lanescope::cli
