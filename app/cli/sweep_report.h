// A finished sweep as text, CSV and JSON.
#pragma once

#include <ostream>

#include "session/sweep.h"

namespace lanescope::cli {

void print_sweep(const app::Sweep& sweep, app::SweepMetric metric, std::ostream& out);
void print_sweep_csv(const app::Sweep& sweep, std::ostream& out);
void print_sweep_json(const app::Sweep& sweep, app::SweepMetric metric, std::ostream& out);

/// A field of CSV, quoted where it must be.
std::string csv_field(const std::string& text);

}  // namespace lanescope::cli
