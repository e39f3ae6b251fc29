// Compare: two kernels or two settings, the same warp and access side by side.
#pragma once

#include "views/view_context.h"

namespace lanescope::app {

struct CompareState {};
void draw_compare(const ViewContext& ctx, CompareState& state, Actions& actions);

}  // namespace lanescope::app
