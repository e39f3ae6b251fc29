// One execution of an access in a few rows: its banks or its sectors, small enough to stand beside
// another.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

/// The words on their banks, a row a wavefront; or the sectors on their lines. At most `height`
/// pixels high; hovering a lane's part means that lane.
void mini_strip(const ViewContext& ctx, const Execution& shown, float width, float height,
                Actions& actions);

}  // namespace lanescope::app
