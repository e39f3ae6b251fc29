// `lanescope run`: a whole CUDA program, its host code natively, its kernels in the simulator.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/cli.h"

namespace lanescope::cli {

struct RunFlags {
  /// Files, then what the program is given when there is no `--`
  std::vector<std::string> words;
  /// After `--`
  std::vector<std::string> arguments;
  std::vector<std::string> include_folders, macros;
  std::string standard = "c++17";
  std::string cuda, device;
  unsigned threads = 0;
  std::uint64_t steps = 0;
  std::vector<std::string> writable;
  double limit = 3600;
  bool json = false, check_all = false, every_launch = false, stop = false;
};

void add_run_command(CLI::App& app, RunFlags& flags);
/// Takes what follows `--` off a command line that begins with `run`.
std::vector<std::string> take_program_arguments(std::vector<std::string>& arguments);
int run_command(const RunFlags& flags, const Fronts& fronts);

}  // namespace lanescope::cli
