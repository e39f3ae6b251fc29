// What Nsight Compute prints: its raw page as CSV, and what it complains of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/types.h"

namespace lanescope::gpu {

/// A kernel launch as the profiler lists it.
struct ProfiledLaunch {
  /// "transpose_tile<float>(const float *, …)"
  std::string function;
  std::map<std::string, std::uint64_t> values;
  /// 1 x 1 x 1 where the page does not tell
  Dim3 grid, block;
};

/// Nanoseconds that a launch took.
inline constexpr const char* kDuration = "gpu__time_duration.sum";

/// What beside lanes moves data: wgmma, and bulk copies. Each has metrics that the GPU must know, which knows the
/// instruction.
struct ProfiledEngines {
  bool products = false, copies = false;
};

/// How to have all counters that we compare, and one more if named, written into a file; what is to be
/// run follows.
std::vector<std::string> profiler_command(const std::string& profiler, const std::string& log,
                                          ProfiledEngines engines,
                                          const std::string& one_more = {});

/// The raw page as CSV, with the tool's own remarks around it. Fractions are cut.
std::vector<ProfiledLaunch> parse_raw_page(const std::string& text);

/// What the tool's output says is wrong, as message and hint; nullopt if it does not complain.
std::optional<Diagnostic> parse_profiler_error(const std::string& text);

/// "k_smem<float, 32>" → "k_smem"; as the profiler's function name basis.
std::string base_name(const std::string& function);

}  // namespace lanescope::gpu
