// One launch of a program, through a file from its process to this one.
#pragma once

#include <string>
#include <vector>

#include "core/program/program_request.h"
#include "core/run/captured_launch.h"
#include "program/process/program_run.h"
#include "program/process/simulated_device.h"

namespace lanescope::app {

/// In the program's process: the launch and what every live allocation holds. False if it could not be
/// written.
bool write_capture(const std::string& file, const CaughtLaunch& launch);

struct CaptureResult {
  /// Null with diagnostics
  CapturedLaunchPtr launch;
  /// The file of the kernel, as the compiler was given it
  std::string file;
  std::vector<Diagnostic> diagnostics;
};

/// Runs the program up to its launch of this number and takes that.
CaptureResult capture_launch(ProgramRequest request, std::uint64_t number,
                             const ProgramWatch& watch = {});

}  // namespace lanescope::app
