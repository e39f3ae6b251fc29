// The few lines appended to a kernel text: constant expressions to evaluate, and the kernel to
// instantiate.
#pragma once

#include <string>

#include "lanescope/compile.h"

namespace lanescope {

inline constexpr const char* kLaunchNamespace = "lanescope_launch";
inline constexpr const char* kLaunchKernel = "lanescope_kernel";

/// `kernel` may be empty: then only the expressions are appended.
std::string launch_text(const CompileRequest& request, const std::string& kernel);

}  // namespace lanescope
