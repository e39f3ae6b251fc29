// The window in a lesson: the lesson on the left, beside it what its scene shows.
#pragma once

#include "imgui.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct Workspace;

/// Docks every view afresh: those of the scene beside the lesson, the others behind them. `units` are
/// the size over the scale.
void build_lesson_layout(Workspace& workspace, ImGuiID dockspace, ImVec2 size, ImVec2 units);
/// Whether a view is open when a lesson's scene is arranged.
bool opens_in_lesson(Workspace& workspace, const char* view);
/// Arranges the window for a scene that has just been opened; before anything of a frame is drawn.
void follow_lesson(Workspace& workspace);

}  // namespace lanescope::app
