// Where the views are docked until the user moves them.
#pragma once

#include "imgui.h"

namespace lanescope::app {

/// Docks every view afresh inside `dockspace`.
void build_default_layout(ImGuiID dockspace, ImVec2 size);
/// Brings a view to the front of its tabs without taking the keyboard away.
void show_tab(const char* id);
/// True if the view's tab is the one in front.
bool tab_in_front(const char* id);
/// Makes everything that a window drew this frame fainter; call after its End().
void fade_window(const char* id, float alpha);

}  // namespace lanescope::app
