// What launches on a GPU for the session and the command line, over a process of its own.
#pragma once

#include <memory>

#include "core/timing/gpu_service.h"
#include "gpu/process/child.h"

namespace lanescope::gpu {

/// For the program: the worker is this program again.
std::unique_ptr<app::GpuService> make_gpu_service();
/// For tests: some other worker.
std::unique_ptr<app::GpuService> make_gpu_service(ChildCommand worker);

}  // namespace lanescope::gpu
