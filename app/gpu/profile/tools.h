// Programs of a CUDA toolkit, where the machine has one.
#pragma once

#include <string>

namespace lanescope::gpu {

/// The path of "nvcc" or "ncu": in the toolkit's folder if one is given, on PATH, or where toolkits are
/// put; empty if it is nowhere.
std::string find_tool(const std::string& name, const std::string& toolkit = {});

/// "Nsight Compute 2025.3.1", from where it lies.
std::string profiler_name(const std::string& path);

}  // namespace lanescope::gpu
