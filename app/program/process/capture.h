// One launch of a program, through a file from its process to this one.
#pragma once

#include <string>
#include <vector>

#include "core/program/program_request.h"
#include "core/program/program_service.h"
#include "program/process/program_run.h"
#include "program/process/simulated_device.h"

namespace lanescope::app {

/// In the program's process: the launch and what every live allocation holds. False if it could not be
/// written.
bool write_capture(const std::string& file, const CaughtLaunch& launch);

/// Runs the program up to its launch of this number and takes that.
CaptureResult capture_launch(ProgramRequest request, std::uint64_t number,
                             const ProgramWatch& watch = {});

}  // namespace lanescope::app
