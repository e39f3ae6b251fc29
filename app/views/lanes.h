// Lanes: a table of the 32 lanes with every source variable's value at this step.
#pragma once

#include "views/view_context.h"

namespace lanescope::app {

struct LanesState {
  int followed = -1;  ///< lane last brought into sight
  int tries = 0;      ///< frames spent on bringing the next one into sight
};
void draw_lanes(const ViewContext& ctx, LanesState& state, Actions& actions);

}  // namespace lanescope::app
