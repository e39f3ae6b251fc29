// Why: the cause of what an access costs, in words and numbers, and what to do about it.
#pragma once

#include "views/view_context.h"

namespace lanescope::app {

struct WhyState {};
void draw_why(const ViewContext& ctx, WhyState& state, Actions& actions);

}  // namespace lanescope::app
