// A finished sweep as text, CSV and JSON.
#pragma once

#include <ostream>

#include "core/sweep/sweep.h"

namespace lanescope::cli {

void print_sweep(const app::Sweep& sweep, app::SweepMetric metric, std::ostream& out);
void print_sweep_csv(const app::Sweep& sweep, std::ostream& out);
void print_sweep_json(const app::Sweep& sweep, app::SweepMetric metric, std::ostream& out);

}  // namespace lanescope::cli
