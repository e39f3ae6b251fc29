// `bench` and `verify`: the commands that need a GPU, and show what was recorded on one where there
// is none.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "session/catalog.h"
#include "session/gpu_service.h"

namespace lanescope::cli {

struct GpuFlags {
  std::vector<std::string>
      kernels;                     ///< names, families or files; none: every bundled kernel of use
  std::vector<std::string> sets;   ///< --set NAME=VALUE
  std::vector<std::string> vary;   ///< --vary NAME=A,B,C or NAME=A..B
  std::vector<std::string> sizes;  ///< --size N or ROWSxCOLUMNS
  std::vector<std::string> arguments;
  std::string function, block, grid, shared;
  std::string record;  ///< file or folder
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
