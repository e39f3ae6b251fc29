// What a view may ask for about a whole program.
#pragma once

#include <cstdint>
#include <variant>

#include "core/program/program_input.h"

namespace lanescope::app {

/// The open file's program, with what stands in its fields; one under way is given up.
struct RunProgram {
  /// The launch to be shown, unless one is
  std::uint64_t launch = 0;
};
struct StopProgram {};
/// A launch of its last run, in all views
struct ShowLaunch {
  std::uint64_t number;
};
struct SetProgramInput {
  ProgramInput input;
};

using ProgramAction = std::variant<RunProgram, StopProgram, ShowLaunch, SetProgramInput>;

}  // namespace lanescope::app
