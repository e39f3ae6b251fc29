// `lanescope run`: a whole CUDA program, its host code natively, its kernels in the simulator.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/kernel/program_flags.h"
#include "cli/text/fronts.h"
#include "core/timing/gpu_service.h"

namespace lanescope::cli {

struct RunFlags {
  ProgramFlags program;
  /// Files, then what the program is given when there is no `--`
  std::vector<std::string> words;
  std::string device;
  unsigned threads = 0;
  std::uint64_t steps = 0;
  std::vector<std::string> writable;
  double limit = 3600;
  bool json = false, check_all = false, every_launch = false, stop = false, measure = false;
};

void add_run_command(CLI::App& app, RunFlags& flags);
/// `gpu`: whom to ask for a GPU, with --measure.
int run_command(const RunFlags& flags, const Fronts& fronts, app::GpuService& gpu);

}  // namespace lanescope::cli
