// Keys that work anywhere in the window, unless one is typing.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct Workspace;
void handle_keys(const ViewContext& ctx, Workspace& workspace, Actions& actions);

}  // namespace lanescope::app
