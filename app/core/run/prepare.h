// From settings to something that can be run: the whole pipeline, one named step after the other.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/measure.h"
#include "core/run/prepared_launch.h"
#include "lanescope/device.h"
#include "lanescope/memory.h"

namespace lanescope::app {

/// A launch that has been checked, with memory of its own to run on: filled, or filled as it is
/// touched.
struct ReadyLaunch {
  /// Never null, and its program is not either
  PreparedLaunchPtr prepared;
  /// What the last run left; `refill` it before the next
  GlobalMemory memory;

  // The engine's four requests for this launch; see lanescope/run.h.
  RunResult inspect(const InspectRequest& request) {
    return lanescope::inspect(*prepared->program, prepared->launch, memory, request);
  }
  RunResult count(const CountRequest& request) {
    return lanescope::count(*prepared->program, prepared->launch, memory, request);
  }
  RunResult execute(const ExecuteRequest& request) {
    return lanescope::execute(*prepared->program, prepared->launch, memory, request);
  }
  WriterResult find_writer(const FindWriterRequest& request) {
    return lanescope::find_writer(*prepared->program, prepared->launch, memory, request);
  }
};

struct PrepareResult {
  /// Null when there are errors
  std::unique_ptr<ReadyLaunch> ready;
  /// As far as the text could be read
  std::vector<KernelEntry> kernels;
  /// Errors, or the warnings of a launch that can run
  std::vector<Diagnostic> diagnostics;
};

/// Never throws and prints nothing. Stopped, it soon gives no launch, and diagnostics that mean
/// nothing.
PrepareResult prepare(const Settings& settings, std::stop_token stop = {},
                      const DevicePreset& device = device_presets().front(),
                      const MeasureBounds& bounds = {});

/// The grid that covers a launch's threads with blocks of another shape, and perhaps more threads than those.
Dim3 grid_of_same_threads(const Launch& launch, Dim3 block);

/// Gives what a run found the text of its lines, which the engine does not keep.
void add_source_lines(const Settings& settings, std::vector<Diagnostic>& diagnostics);

/// For each extent of the block, the parameter that it is, or "" where it is a longer expression.
std::vector<std::string> block_parameters(const FrontMatter& front_matter);

/// "PAD (0 to 32), T (float, double)": what a message about a wrong parameter tells.
Message describe_parameters(const FrontMatter& front_matter);

}  // namespace lanescope::app
