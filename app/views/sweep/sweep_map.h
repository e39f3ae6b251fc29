// The heat map of a sweep: a table for each value of the third axis, a cell for each setting.
#pragma once

#include "core/sweep/sweep.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

const char* metric_title(SweepMetric metric);
/// A number as the metric shows it: "1 024", "87.5 %", "0.0385 ms".
std::string metric_text(SweepMetric metric, double value);

/// `current`: the cell of the settings as they are. Returns the cell that was clicked.
std::optional<std::size_t> draw_sweep_map(const ViewContext& ctx, const Sweep& sweep,
                                          SweepMetric metric, const SweepScale& scale,
                                          std::optional<std::size_t> current);

/// The tooltip of one cell.
void sweep_tooltip(const ViewContext& ctx, const Sweep& sweep, std::size_t index);

}  // namespace lanescope::app
