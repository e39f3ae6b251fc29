// The stack of the Banks view: a column a bank, a row a wavefront, a block of rows for each half-
// or quarter-warp; and the lanes above it, as they are served.
#pragma once

#include <string>

#include "views/draw/view_context.h"

namespace lanescope::app {

/// "lanes 0–15: first half-warp"; empty where the whole warp is served at once.
std::string group_text(const BankPlan& plan, std::size_t group);

/// `serving` is the wavefront being served, from 1; 0 for all at once.
void draw_served_lanes(const ViewContext& ctx, const Execution& shown, int serving,
                       Actions& actions);
void draw_stack(const ViewContext& ctx, const Execution& shown, int serving, Actions& actions);

}  // namespace lanescope::app
