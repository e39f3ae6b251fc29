// Launches that are calls of the runtime, and kernels behind variables: by their words alone, as host code is
// never compiled.
#pragma once

#include <string>
#include <vector>

#include "frontend/text/launch_sites.h"

namespace lanescope {

/// `cudaLaunchKernel`, `cudaLaunchCooperativeKernel`, `cudaLaunchKernelEx` and `cudaLaunchKernelExC`, with what
/// their configurations and argument arrays are set to before.
std::vector<RawLaunch> api_launches(const std::vector<RawToken>& tokens);

/// What a variable was set to last before a token: `foo<32>` of `auto k = foo<32>;`. The name itself where it
/// is a kernel's, or nothing tells.
std::string kernel_behind(const std::vector<RawToken>& tokens, const std::string& name,
                          std::size_t before);

}  // namespace lanescope
