// A program's launches on a GPU, beside what was counted of them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/text/fronts.h"
#include "core/timing/gpu_service.h"
#include "gpu/program/native_program.h"

namespace lanescope::cli {

struct MeasuredProgram {
  /// As a person reads it; empty without a GPU
  std::string device;
  gpu::NativeRun run;
};

/// Builds and runs the program on the GPU, if there is one: else the problem says why not.
MeasuredProgram measure_program(const app::ProgramRequest& request, const std::string& toolkit,
                                const std::vector<app::LaunchRecord>& launches,
                                app::GpuService& gpu);

/// A table of the launches, equal neighbours in one row; then, for each that differs in anything, what
/// differs and why.
void print_measured(const std::vector<app::LaunchRecord>& launches, const MeasuredProgram& measured,
                    const Fronts& fronts);

/// "measured" for each launch in the array: {"us", "counters": [{"name", "simulated", "measured",
/// "verdict", "note"}]}, or {"problem"}.
void add_measured(const std::vector<app::LaunchRecord>& launches, const MeasuredProgram& measured,
                  nlohmann::ordered_json& array);

}  // namespace lanescope::cli
