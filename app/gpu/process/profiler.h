// Nsight Compute over the worker: the counters of one launch of each request.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gpu/launch/request.h"

namespace lanescope::gpu {

/// `worker` is the command that launches a file of requests (see run_worker_on_file). In the order
/// of the requests; what has no counters says why.
std::vector<app::Measurement> profile(const std::vector<Request>& requests,
                                      std::vector<std::string> worker, const std::stop_token& stop);

/// A kernel launch as the profiler lists it.
struct ProfiledLaunch {
  /// "transpose_tile<float>(const float *, …)"
  std::string function;
  std::map<std::string, std::uint64_t> values;
};
/// The raw page as CSV, with the tool's own remarks around it. Fractions are cut.
std::vector<ProfiledLaunch> parse_raw_page(const std::string& text);

/// What the tool's output says is wrong, as message and hint; nullopt if it does not complain.
std::optional<Diagnostic> parse_profiler_error(const std::string& text);

/// "k_smem<float, 32>" → "k_smem"; as the profiler's function name basis.
std::string base_name(const std::string& function);

}  // namespace lanescope::gpu
