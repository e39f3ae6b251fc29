// Which launches `bench` and `verify` are about: kernels times sizes times varied parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/timing/bench_command.h"
#include "core/kernel/settings.h"
#include "lanescope/diagnostic.h"

namespace lanescope::cli {

struct Choice {
  std::vector<app::Settings> launches;
  /// Errors, or notes about kernels that were left out
  std::vector<Diagnostic> diagnostics;
};
/// `families`: what is taken when no kernel is named. `default_size` where --size is not given.
Choice choose_launches(const app::Catalog& catalog, const GpuFlags& flags,
                       const std::vector<std::string>& families, const std::string& default_size);

/// "A,B,C" or "A..B" of integers as texts; nullopt if it is neither.
std::optional<std::vector<std::string>> parse_values(const std::string& text);

/// What is recorded of just these launches.
std::vector<app::Recording> recordings_of(const std::vector<app::Settings>& launches);

}  // namespace lanescope::cli
