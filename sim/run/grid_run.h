// One launch, whose arguments have been checked.
#pragma once

#include "lanescope/run.h"
#include "lower/flat.h"

namespace lanescope {

RunResult run_grid(const FlatProgram& program, const Launch& launch, GlobalMemory& memory,
                   const RunOptions& options);

}  // namespace lanescope
