// The bins of the Banks view: one for each bank, as high as the wavefronts that it needs, a stack for
// each half- or quarter-warp; and the lanes above them, as they are served.
#pragma once

#include <string>

#include "views/banks/banks_tile.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// "lanes 0–15: first half-warp", "matrix 1: its rows by lanes 8–15"; empty where the whole warp is served at once.
std::string group_text(const BankPlan& plan, std::size_t group);

/// The columns that all parts of the view share, from the cursor on.
BankColumns bank_columns();
/// Height below which the bins cannot be read.
float least_bins(const ViewContext& ctx, const BankPlan& plan);

/// `serving` is the wavefront being served, from 1; 0 for all at once.
void draw_served_lanes(const ViewContext& ctx, const Execution& shown, int serving,
                       const BankColumns& columns, Actions& actions);
void draw_bins(const ViewContext& ctx, const Execution& shown, int serving,
               const BankColumns& columns, Actions& actions);

}  // namespace lanescope::app
