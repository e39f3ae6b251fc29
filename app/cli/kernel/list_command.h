// `lanescope list`: the kernels that come along.
#pragma once

#include "cli/text/fronts.h"
#include "core/kernel/catalog.h"

namespace lanescope::cli {

/// Returns the exit status.
int list_command(const app::Catalog& catalog, bool json, const Fronts& fronts);

}  // namespace lanescope::cli
