// Timing: kernels side by side on a GPU, beside a plain copy and cuBLAS; recorded where there is
// none.
#pragma once

#include "views/view_context.h"

namespace lanescope::app {

struct TimingState {};
void draw_timing(const ViewContext& ctx, TimingState& state, Actions& actions);

}  // namespace lanescope::app
