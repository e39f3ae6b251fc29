// From settings to something that can be run: the whole pipeline, one named step after the other.
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
#include "lanescope/compile.h"
#include "lanescope/device.h"
#include "lanescope/memory.h"
#include "lanescope/run.h"

namespace lanescope::app {

/// A launch that has been checked, with its memory filled. Run it with `run(*program, launch,
/// memory, …)`.
struct Job {
  Settings settings;
  /// Empty fields when the text has none
  FrontMatter front_matter;
  bool has_front_matter = false;
  /// Every macro with the value it was compiled with
  std::map<std::string, std::string> parameters;
  std::vector<KernelEntry> kernels;
  ProgramPtr program;
  Launch launch;
  GlobalMemory memory;
  std::vector<BufferLayout> buffers;
  /// That the front matter names
  std::vector<IndexLayout> layouts;
  double compile_ms = 0;
};

struct JobResult {
  /// Null when there are errors
  std::unique_ptr<Job> job;
  /// As far as the text could be read
  std::vector<KernelEntry> kernels;
  /// Errors, or the warnings of a job that can run
  std::vector<Diagnostic> diagnostics;
};

/// Never throws and prints nothing. Stopped, it soon gives no job, and diagnostics that mean
/// nothing.
JobResult prepare(const Settings& settings, std::stop_token stop = {},
                  const DevicePreset& device = device_presets().front());

/// Gives what a run found the text of its lines, which the engine does not keep.
void add_source_lines(const Settings& settings, std::vector<Diagnostic>& diagnostics);

/// For each extent of the block, the parameter that it is, or "" where it is a longer expression.
std::vector<std::string> block_parameters(const FrontMatter& front_matter);

/// "PAD (0 to 32), T (float, double)": what a message about a wrong parameter tells.
std::string describe_parameters(const FrontMatter& front_matter);

}  // namespace lanescope::app
