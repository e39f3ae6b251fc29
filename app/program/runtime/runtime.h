// The CUDA runtime as a simulated device offers it: the functions that a program's host code calls.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Whom those functions work for: one a process, because they are C functions.
struct RuntimeState {
  Launcher* launcher = nullptr;
  DevicePreset device;
};
/// Called before host code runs; whatever was there before is forgotten.
void start_runtime(Launcher& launcher, const DevicePreset& device);
DeviceMemory& device_memory();

/// A kernel's fault is told by the launcher when it happens. The program hears of it as a GPU's host
/// does: the launch succeeds, and so does cudaGetLastError behind it; the next other call returns the
/// error, and every call after that. With CUDA_LAUNCH_BLOCKING=1 the launch returns it itself.
bool launches_block();

/// Reports what main() left behind, and closes what is open. Called once main has returned.
void end_runtime();

}  // namespace lanescope::app
