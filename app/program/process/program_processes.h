// What the window and the session run programs with.
#pragma once

#include <memory>

#include "core/program/program_service.h"

namespace lanescope::app {

/// Runs each program in a process of its own.
std::shared_ptr<ProgramService> make_program_service();

}  // namespace lanescope::app
