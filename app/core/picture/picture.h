// One finished run: everything the views draw, and how it is made. Immutable once published; shared between
// threads by pointer.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/run/prepare.h"
#include "core/run/result.h"
#include "core/tensor/placed_tensor.h"
#include "lanescope/run.h"

namespace lanescope::app {

class Journey;
class TraceIndex;

struct Picture {
  /// What was run: its settings, text, program, launch and buffers. Never null; without a program
  /// where nothing could be run.
  PreparedLaunchPtr prepared = std::make_shared<const PreparedLaunch>();
  /// Run of the inspected block alone, without its trace
  RunResult inspected;
  /// That trace; null if there is none
  std::shared_ptr<const BlockTrace> recorded;
  /// Of the trace; see trace_index.h
  std::shared_ptr<const TraceIndex> index;
  /// Of the trace; see core/journey/journey.h
  std::shared_ptr<const Journey> journey;
  /// Of the trace: tensors of CuTe that name its memory, none of which overlap
  std::vector<PlacedTensorPtr> tensors;
  /// Of the whole grid if `whole`, else of the inspected block; by line
  std::vector<LineTotals> lines;
  /// Null until the whole grid has been run in the background
  std::shared_ptr<const RunResult> whole;
  ResultCheck check;
  /// What running the inspected block took, in milliseconds
  double run_ms = 0;
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
  /// The whole grid's run where there is one yet, else the inspected block's
  [[nodiscard]] const RunResult& counted() const { return whole ? *whole : inspected; }
  [[nodiscard]] const BlockTrace* trace() const { return recorded.get(); }
  [[nodiscard]] const KernelInfo& kernel() const { return prepared->kernel(); }
};
using PicturePtr = std::shared_ptr<const Picture>;

/// Runs the block that the settings inspect, alone and recorded, on memory as it was filled or left. Without what
/// the next adds, which takes its time.
Picture inspect_block(ReadyLaunch& ready, const std::stop_token& stop);
/// Adds what views look up: lines, an index and a journey of the trace. False if there is nothing to look at, or it
/// was stopped: an index of what is older would keep what is newer waiting.
bool complete_picture(Picture& picture, const std::stop_token& stop);

}  // namespace lanescope::app
