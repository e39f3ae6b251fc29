// A whole program as a GPU runs it: built by the toolkit's compiler, run under its profiler.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/program/program_record.h"
#include "core/program/program_request.h"
#include "core/timing/measurement.h"
#include "lanescope/diagnostic.h"

namespace lanescope::gpu {

/// The profiler runs each several times over: more than so many launches nobody would wait for.
inline constexpr int kMostProfiled = 100;

/// A launch on the GPU.
struct MeasuredLaunch {
  double microseconds = 0;
  app::Counters counters;
};

struct NativeRun {
  /// Why nothing was measured
  std::optional<Diagnostic> problem;
  /// One for each simulated launch, nullopt where the GPU ran none such
  std::vector<std::optional<MeasuredLaunch>> launches;
};

/// Builds the program with nvcc, -O3, for the GPU at hand, and runs it with its arguments under Nsight
/// Compute. Unlike the simulated run it is not held in a sandbox; it reads nothing from standard input
/// and its output goes nowhere. `toolkit`: its folder; empty: looked for.
NativeRun run_natively(const app::ProgramRequest& request, const std::string& toolkit,
                       const std::vector<app::LaunchRecord>& simulated,
                       const std::stop_token& stop = {});

}  // namespace lanescope::gpu
