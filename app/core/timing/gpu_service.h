// Launching on a GPU, as the session, the command line and the views see it: no CUDA, no process,
// no library. app/gpu implements it; tests put in their own.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/prepare.h"
#include "core/timing/measurement.h"

namespace lanescope::app {

/// What there is to measure with, and what is missing, in words.
struct GpuStatus {
  /// None: nothing can be launched, `problem` says why
  std::optional<GpuDevice> device;
  /// "no NVIDIA driver: libcuda.so.1 was not found"
  Message problem;
  /// What to do about it
  Message hint;
  /// What is missing but not needed: "no cuBLAS: …"
  std::vector<Message> notes;
};

struct MeasureOptions {
  /// Timed ones; at least 20 for a recording
  int repetitions = 25;
  /// False: launch once and check the result
  bool timed = true;
  /// Also time the copy and cuBLAS
  bool baselines = true;
  /// For everything about this launch; then it is given up
  double time_limit_s = 60;
};

/// What is being done at the moment, for a progress bar.
struct MeasureProgress {
  /// "compiling", "checking", "timing", "counting"
  Message stage;
  double fraction = 0;
};
using MeasureCallback = std::function<void(const MeasureProgress&)>;

class GpuService {
 public:
  virtual ~GpuService() = default;

  /// Blocks for up to a few seconds the first time.
  virtual GpuStatus status() = 0;

  /// Launches the text with its macros on the GPU, checks every element of the result against
  /// the CPU's and times it. Never throws and never takes the program down: a kernel that faults or
  /// hangs ends in `diagnostics`. Blocks; call it off the GUI's thread. `stop` gives it up.
  virtual Measurement measure(const ReadyLaunch& ready, const MeasureOptions& options,
                              const MeasureCallback& progress, std::stop_token stop) = 0;

  /// Reads the profiler's counters for one launch of each, in one go. A measurement without
  /// counters says in its diagnostics why (no profiler, no permission).
  virtual std::vector<Measurement> count(const std::vector<const ReadyLaunch*>& launches,
                                         const MeasureCallback& progress, std::stop_token stop) = 0;
};

}  // namespace lanescope::app
