// What is wrong with a request before anything runs.
#pragma once

#include <vector>

#include "lanescope/run.h"

namespace lanescope {

/// Of a launch of which these blocks are asked for by name; empty if it can run.
std::vector<Diagnostic> check_request(const Program& program, const Launch& launch,
                                      const GlobalMemory& memory, const std::vector<Dim3>& blocks);

}  // namespace lanescope
