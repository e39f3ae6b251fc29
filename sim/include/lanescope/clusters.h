// Clusters: blocks that run together and reach each other's shared memory. A kernel's own are from __cluster_dims__;
// a launch may say others.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lanescope/whole_program.h"

namespace lanescope {

/// Blocks of a cluster that an H200 can be made to hold; eight of them anywhere (CUDA C++ Programming Guide, "Thread
/// Block Clusters").
inline constexpr std::uint64_t kMostClusterBlocks = 16;

/// As DeviceCode::kernel, for launches in clusters of so many blocks.
ProgramPtr kernel_in_clusters(const DeviceCode& code, const std::string& symbol,
                              const std::map<std::string, std::uint64_t>& addresses, Dim3 cluster,
                              std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope
