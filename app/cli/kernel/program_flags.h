// The flags that say how a whole program is compiled and what it is given, shared by `run` and by every
// command that takes one of a program's launches.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/program/program_request.h"

namespace lanescope::cli {

struct ProgramFlags {
  /// CUDA C++ and C++ files
  std::vector<std::string> files;
  /// After `--`: argv[1] …
  std::vector<std::string> arguments;
  std::vector<std::string> include_folders, macros;
  /// Empty: the usual one
  std::string standard;
  /// A toolkit's folder; empty: looked for
  std::string cuda;
  /// As it is written; empty: the usual bound
  std::string memory;
};

void add_program_flags(CLI::App& app, ProgramFlags& flags);
app::ProgramRequest program_request(const ProgramFlags& flags);

/// Takes what follows `--` off a command line.
std::vector<std::string> take_program_arguments(std::vector<std::string>& arguments);

}  // namespace lanescope::cli
