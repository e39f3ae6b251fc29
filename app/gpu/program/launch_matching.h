// Which launch that a profiler saw is which of the simulated ones. Pure.
#pragma once

#include <optional>
#include <vector>

#include "core/program/program_record.h"
#include "gpu/profile/raw_page.h"

namespace lanescope::gpu {

/// For each simulated launch the index of the profiler's, nullopt where it has none: both are in the
/// program's order, and alike in kernel, grid and block. Others between them (libraries' own kernels,
/// which have no counterpart here) are passed over, and so is one that was refused.
std::vector<std::optional<std::size_t>>
match_launches(const std::vector<app::LaunchRecord>& simulated,
               const std::vector<ProfiledLaunch>& profiled);

}  // namespace lanescope::gpu
