#include "gpu/program/launch_matching.h"

namespace lanescope::gpu {
namespace {

bool alike(const app::LaunchRecord& simulated, const ProfiledLaunch& profiled) {
  return simulated.grid == profiled.grid && simulated.block == profiled.block &&
         base_name(simulated.kernel) == base_name(profiled.function);
}

}  // namespace

std::vector<std::optional<std::size_t>>
match_launches(const std::vector<app::LaunchRecord>& simulated,
               const std::vector<ProfiledLaunch>& profiled) {
  std::vector<std::optional<std::size_t>> result;
  std::size_t next = 0;
  for (const app::LaunchRecord& launch : simulated) {
    std::size_t at = launch.warp_instructions > 0 ? next : profiled.size();
    while (at < profiled.size() && !alike(launch, profiled[at])) ++at;
    const bool found = at < profiled.size();
    result.push_back(found ? std::optional(at) : std::nullopt);
    if (found) next = at + 1;
  }
  return result;
}

}  // namespace lanescope::gpu
