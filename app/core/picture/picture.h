// One finished run: everything the views draw. Immutable once published; shared between threads by
// pointer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/kernel/buffer_layout.h"
#include "core/kernel/front_matter.h"
#include "core/kernel/index_layout.h"
#include "core/kernel/settings.h"
#include "core/run/result.h"
#include "lanescope/compile.h"
#include "lanescope/run.h"

namespace lanescope::app {

class TraceIndex;

struct Picture {
  Settings settings;
  /// Empty fields when the text has none
  FrontMatter front_matter;
  std::vector<KernelEntry> kernels;
  /// Every macro with the value it was compiled with
  std::map<std::string, std::string> parameters;
  ProgramPtr program;
  Launch launch;
  std::vector<BufferLayout> buffers;
  /// That the front matter names
  std::vector<IndexLayout> layouts;
  /// Run of the inspected block alone, without its trace
  RunResult inspected;
  /// That trace; null if there is none
  std::shared_ptr<const BlockTrace> recorded;
  /// Of the trace; see trace_index.h
  std::shared_ptr<const TraceIndex> index;
  /// Of the whole grid if `whole`, else of the inspected block; by line
  std::vector<LineTotals> lines;
  /// Null until the whole grid has been run in the background
  std::shared_ptr<const RunResult> whole;
  ResultCheck check;
  double compile_ms = 0, run_ms = 0;
  /// Grows with every published picture
  std::uint64_t serial = 0;

  /// Takes the run of the inspected block and parts it from its trace: copies of a picture share
  /// one.
  void take(RunResult run) {
    inspected = std::move(run);
    recorded = nullptr;
    if (!inspected.traces.empty())
      recorded = std::make_shared<const BlockTrace>(std::move(inspected.traces.front()));
    inspected.traces.clear();
  }
  [[nodiscard]] const BlockTrace* trace() const { return recorded.get(); }
  [[nodiscard]] const KernelInfo& kernel() const { return program->info(); }
};
using PicturePtr = std::shared_ptr<const Picture>;

}  // namespace lanescope::app
