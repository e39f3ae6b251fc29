// From settings to something that can be run: the whole pipeline, one named step after the other. What it makes is
// what a run, its picture and its report all refer to.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/kernel/buffer_layout.h"
#include "core/kernel/front_matter.h"
#include "core/kernel/index_layout.h"
#include "core/kernel/settings.h"
#include "core/run/measure.h"
#include "lanescope/compile.h"
#include "lanescope/device.h"
#include "lanescope/memory.h"
#include "lanescope/run.h"

namespace lanescope::app {

/// Made by `prepare` in one go and never changed afterwards: threads, pictures and reports share
/// one by pointer, and nobody copies its fields.
struct PreparedLaunch {
  /// As they were asked for; the inspected block moved inside the grid
  Settings settings;
  /// Empty fields when the text has none
  FrontMatter front_matter;
  bool has_front_matter = false;
  /// Every macro with the value it was compiled with
  std::map<std::string, std::string> parameters;
  /// All that the text has
  std::vector<KernelEntry> kernels;
  /// Null only where nothing could be prepared
  ProgramPtr program;
  Launch launch;
  /// The buffers behind the launch's pointers, as matrices
  std::vector<BufferLayout> buffers;
  /// Of the buffers whose size was left to a run
  std::vector<MeasuredBuffer> measured;
  /// Of arrays and buffers, as the front matter names them
  std::vector<IndexLayout> layouts;
  /// What compiling took, in milliseconds
  double compile_ms = 0;

  /// The program must not be null.
  [[nodiscard]] const KernelInfo& kernel() const { return program->info(); }
  /// Of a block: static and dynamic
  [[nodiscard]] std::uint64_t shared_bytes() const {
    return kernel().static_shared_bytes + launch.dynamic_shared_bytes;
  }
};
using PreparedLaunchPtr = std::shared_ptr<const PreparedLaunch>;

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
