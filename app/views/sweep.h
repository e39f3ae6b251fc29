// Sweep: block shape, padding and other parameters as a heat map of what each setting costs.
#pragma once

#include "views/view_context.h"

namespace lanescope::app {

struct SweepState {};
void draw_sweep(const ViewContext& ctx, SweepState& state, Actions& actions);

}  // namespace lanescope::app
