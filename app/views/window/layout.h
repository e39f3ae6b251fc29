// Where the views are docked until the user moves them.
#pragma once

#include "imgui.h"
#include "views/draw/view.h"

namespace lanescope::app {

/// Cuts a share of `rest` off.
ImGuiID split_off(ImGuiID& rest, ImGuiDir direction, float share);
/// Docks every view afresh inside `dockspace`; `units` are its size over the scale.
void build_layout(Preset preset, ImGuiID dockspace, ImVec2 size, ImVec2 units);
/// How a view starts in a preset; see View::starts.
int start_of(const View& view, Preset preset);
/// Brings those views to the front of their tabs that the preset wants there.
void show_front_tabs(Preset preset);
/// Brings a view to the front of its tabs without taking the keyboard away.
void show_tab(const char* id);
/// The same, and the keyboard goes with it.
void show_view(const char* id);
/// True if the view's tab is the one in front.
bool tab_in_front(const char* id);
/// Makes everything that a window drew this frame fainter; call after its End().
void fade_window(const char* id, float alpha);

}  // namespace lanescope::app
