// The menu bar; beside the menus it says when the pictures are out of date, and why.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct Workspace;
void draw_menu(const ViewContext& ctx, Workspace& workspace, Actions& actions);

}  // namespace lanescope::app
