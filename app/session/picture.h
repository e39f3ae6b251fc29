// One finished run: everything the views draw. Immutable once published; shared between threads by
// pointer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lanescope/compile.h"
#include "lanescope/run.h"
#include "session/front_matter.h"
#include "session/index_layout.h"
#include "session/settings.h"

namespace lanescope::app {

/// A global buffer with the extents the front matter gives it. `dims` = {rows, cols} or {count}.
struct BufferLayout {
  std::string name;
  ScalarType element = ScalarType::f32;
  std::uint32_t element_bytes = 4;
  std::uint64_t base = 0, bytes = 0;
  std::vector<std::uint64_t> dims;
  [[nodiscard]] std::uint64_t rows() const { return dims.size() > 1 ? dims[0] : 1; }
  [[nodiscard]] std::uint64_t cols() const { return dims.empty() ? 0 : dims.back(); }
};

struct ResultCheck {
  bool checked = false;  ///< there was a reference and the whole grid ran
  bool correct = false;
  std::string message;  ///< first wrong element: where, expected, got
};

/// Totals of one source line, for the heat in the gutter.
struct LineTotals {
  std::uint32_t line = 0;
  std::uint64_t executions = 0;  ///< warp-wide, of the most executed operation on the line
  SharedCounts shared;
  GlobalCounts global;
};

class TraceIndex;

struct Picture {
  Settings settings;
  FrontMatter front_matter;  ///< empty fields when the text has none
  std::vector<KernelEntry> kernels;
  std::map<std::string, std::string>
      parameters;  ///< every macro with the value it was compiled with
  ProgramPtr program;
  Launch launch;
  std::vector<BufferLayout> buffers;
  std::vector<IndexLayout> layouts;  ///< that the front matter names
  RunResult inspected;               ///< run of the inspected block alone, without its trace
  std::shared_ptr<const BlockTrace> recorded;  ///< that trace; null if there is none
  std::shared_ptr<const TraceIndex> index;     ///< of the trace; see trace_index.h
  std::vector<LineTotals>
      lines;  ///< of the whole grid if `whole`, else of the inspected block; by line
  std::shared_ptr<const RunResult>
      whole;  ///< null until the whole grid has been run in the background
  ResultCheck check;
  double compile_ms = 0, run_ms = 0;
  std::uint64_t serial = 0;  ///< grows with every published picture

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
