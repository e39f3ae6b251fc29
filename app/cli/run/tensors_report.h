// Tensors of CuTe as `analyze` tells them: those that all threads of a block share.
#pragma once

#include <ostream>

#include "cli/run/report.h"
#include "core/run/prepare.h"

namespace lanescope::cli {

/// What they hold in a first block, of which no more is run than that takes. Memory is not of use afterwards.
void read_tensors(app::ReadyLaunch& ready, const RunControl& control, Report& report);

/// Nothing without any.
void add_tensors(const Report& report, app::Json& json);
void print_tensors(const Report& report, std::ostream& out);

}  // namespace lanescope::cli
