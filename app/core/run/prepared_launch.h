// A launch as it was made from settings: what a run, its picture and its report all refer to.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/kernel/buffer_layout.h"
#include "core/kernel/front_matter.h"
#include "core/kernel/index_layout.h"
#include "core/kernel/settings.h"
#include "core/run/measure.h"
#include "lanescope/compile.h"
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

}  // namespace lanescope::app
