// One request on the device: compile, fill, launch, check, time. What goes wrong is in the
// measurement.
#pragma once

#include "gpu/driver/cuda_device.h"
#include "gpu/launch/request.h"

namespace lanescope::gpu {

struct Execution {
  app::Measurement measurement;
  /// After a fault the process cannot use the GPU any more
  bool device_lost = false;
};

/// Blocks until it is done; a kernel that never ends is the parent's business.
Execution execute(Device& device, const Request& request, const app::MeasureCallback& progress);

/// What `execute` does, in words, for a recording.
std::string method_text();

}  // namespace lanescope::gpu
