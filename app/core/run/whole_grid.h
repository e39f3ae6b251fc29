// The whole grid of a launch: exact counts first, which are nearly free, then the result.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/run/prepare.h"
#include "core/run/result.h"

namespace lanescope::app {

struct WholeGridOptions {
  RunControl control;
  /// Workers; 0 picks the machine's cores
  unsigned threads = 0;
  /// Execute every block even when the counts are proved without
  bool every_block = false;
  /// Executing every block to check the result is worth up to so many warp instructions; about
  /// 100 million take a second on one core.
  std::uint64_t most_to_check = 300'000'000;
  /// … where the buffers hold no more than this; the reference needs half as much again.
  std::uint64_t most_bytes_to_check = 1ull << 30;
  /// What nobody has asked for may take so many seconds: a run that would take longer is ended, and how
  /// long it would have taken is told. 0: no bound.
  double most_seconds = 0;
  /// Called with the counts as soon as they are exact, when more work follows. May be empty.
  std::function<void(const RunResult&)> counted;
};

struct WholeGrid {
  /// Of every block if they were executed, else the proved counts
  RunResult run;
  ResultCheck check;
  /// Above 0: not counted, as that would have taken about so many seconds
  double would_take_s = 0;
  /// Of the run, the looks taken at sample blocks, the check
  std::vector<Diagnostic> diagnostics;
};

/// The launch's memory holds the results afterwards if every block was executed.
WholeGrid run_whole_grid(ReadyLaunch& ready, const WholeGridOptions& options);

/// Adds what was found and is not yet among `all`: of another kind, at another place or in other
/// words.
void add_new(std::vector<Diagnostic>& all, const std::vector<Diagnostic>& found);

}  // namespace lanescope::app
