// The CUDA runtime as a simulated device offers it: the functions that a program's host code calls.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "lanescope/device.h"
#include "program/runtime/device_memory.h"
#include "program/runtime/launcher.h"

namespace lanescope::app {

/// A function that host code may call by its C (or mangled C++) name.
struct RuntimeFunction {
  const char* name = nullptr;
  void* address = nullptr;
};
/// Everything we have: runtime, cublas, curand, nvtx.
std::span<const RuntimeFunction> runtime_functions();

/// The state behind those functions: one a process, because they are C functions.
struct RuntimeState {
  Launcher* launcher = nullptr;
  DevicePreset device;
};
/// Called once, before host code runs.
void start_runtime(Launcher& launcher, const DevicePreset& device);
DeviceMemory& device_memory();

/// Reports what main() left behind, and closes what is open. Called once main has returned.
void end_runtime();

}  // namespace lanescope::app
