// The selected access as a toy of 8 lanes and 4 banks makes it: to be drawn on a blackboard.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct BlackboardState {};

/// That this is a toy, wherever it shows.
void mark_toy(const ViewContext& ctx);
void draw_blackboard(const ViewContext& ctx, BlackboardState& state, Actions& actions);

}  // namespace lanescope::app
