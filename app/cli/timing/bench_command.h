// `bench` and `verify`: the commands that need a GPU, and show what was recorded on one where there
// is none.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/text/fronts.h"
#include "core/kernel/catalog.h"
#include "core/timing/gpu_service.h"

namespace lanescope::cli {

struct GpuFlags {
  /// Names, families or files; none: every bundled kernel of use
  std::vector<std::string> kernels;
  /// --set NAME=VALUE
  std::vector<std::string> sets;
  /// --vary NAME=A,B,C or NAME=A..B
  std::vector<std::string> vary;
  /// --size N or ROWSxCOLUMNS
  std::vector<std::string> sizes;
  std::vector<std::string> arguments;
  std::string function, block, grid, shared;
  /// File or folder
  std::string record;
  int repetitions = 25;
  double limit_s = 60;
  bool check_only = false, json = false;
};
void add_bench_command(CLI::App& app, GpuFlags& flags);
void add_verify_command(CLI::App& app, GpuFlags& flags);

int bench_command(const app::Catalog& catalog, const GpuFlags& flags, const Fronts& fronts,
                  app::GpuService& gpu);
int verify_command(const app::Catalog& catalog, const GpuFlags& flags, const Fronts& fronts,
                   app::GpuService& gpu);

}  // namespace lanescope::cli
