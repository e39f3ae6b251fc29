// The whole grid of a job: exact counts first, which are nearly free, then the result.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "session/job.h"
#include "session/picture.h"

namespace lanescope::app {

struct WholeGridOptions {
  std::stop_token stop;
  std::function<void(std::uint64_t, std::uint64_t)> progress;  ///< see RunOptions
  unsigned threads = 0;
  bool every_block = false;  ///< execute every block even when the counts are proved without
  /// Executing every block to check the result is worth up to so many warp instructions; about
  /// 100 million take a second on one core.
  std::uint64_t most_to_check = 300'000'000;
  /// … where the buffers hold no more than this; the reference needs half as much again.
  std::uint64_t most_bytes_to_check = 1ull << 30;
  /// Called with the counts as soon as they are exact, when more work follows. May be empty.
  std::function<void(const RunResult&)> counted;
};

struct WholeGrid {
  RunResult run;  ///< of every block if they were executed, else the proved counts
  ResultCheck check;
  std::vector<Diagnostic> diagnostics;  ///< of the run, the looks taken at sample blocks, the check
};

/// The job's memory holds the results afterwards if every block was executed.
WholeGrid run_whole_grid(Job& job, const WholeGridOptions& options);

}  // namespace lanescope::app
