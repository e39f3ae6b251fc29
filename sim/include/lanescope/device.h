// Limits of GPU generations that decide whether a launch is possible; each number with its source.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lanescope/diagnostic.h"
#include "lanescope/types.h"

namespace lanescope {

struct KernelInfo;

/// Limits of one compute capability. Source of every number: CUDA C++ Programming Guide, table
/// "Technical Specifications per Compute Capability".
struct DevicePreset {
  /// "H200"
  std::string_view name;
  int compute_major = 0, compute_minor = 0;
  std::uint32_t max_threads_per_block = 1024;
  Dim3 max_block{1024, 1024, 64};
  Dim3 max_grid{2147483647u, 65535u, 65535u};
  /// Limit for __shared__ arrays of fixed size
  std::uint32_t static_shared_bytes = 49152;
  /// Limit with cudaFuncAttributeMaxDynamicSharedMemorySize
  std::uint32_t optin_shared_bytes = 0;
  std::uint32_t shared_bytes_per_sm = 0;
  std::uint32_t max_threads_per_sm = 0;
  std::uint32_t max_blocks_per_sm = 0;
  std::string_view source;
};

/// The known presets; the first is the default (H200, whose counters the models were checked
/// against).
const std::vector<DevicePreset>& device_presets();
/// Nullptr if there is none of that name (case-insensitive).
const DevicePreset* find_device(std::string_view name);

/// Everything that forbids a launch on the device, as `usage` errors in "<launch>"; empty if it is
/// fine. `static_shared` and `dynamic_shared` in bytes.
std::vector<Diagnostic> check_launch(const DevicePreset& device, Dim3 grid, Dim3 block,
                                     std::uint64_t static_shared, std::uint64_t dynamic_shared);
/// The same of a kernel: its __launch_bounds__ too. What one declaration is the reason of is told
/// there, in the kernel's file.
std::vector<Diagnostic> check_launch(const DevicePreset& device, const KernelInfo& kernel,
                                     Dim3 grid, Dim3 block, std::uint64_t dynamic_shared);

}  // namespace lanescope
