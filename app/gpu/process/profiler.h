// Nsight Compute over the worker: the counters of one launch of each request.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "gpu/launch/request.h"

namespace lanescope::gpu {

/// `worker` is the command that launches a file of requests (see run_worker_on_file). In the order
/// of the requests; what has no counters says why.
std::vector<app::Measurement> profile(const std::vector<Request>& requests,
                                      std::vector<std::string> worker, const std::stop_token& stop);

}  // namespace lanescope::gpu
