#include "views/window/layout.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "imgui_internal.h"
#include "views/draw/colours.h"

namespace lanescope::app {
namespace {

ImGuiWindow* window_of(const char* id) {
  return ImGui::FindWindowByName((std::string("###") + id).c_str());
}

void dock(const char* id, ImGuiID node) {
  ImGui::DockBuilderDockWindow((std::string("###") + id).c_str(), node);
}

void dock(std::initializer_list<const char*> ids, ImGuiID node) {
  for (const char* id : ids) dock(id, node);
}

/// Cuts a share of `rest` off.
ImGuiID split(ImGuiID& rest, ImGuiDir direction, float share) {
  return ImGui::DockBuilderSplitNode(rest, direction, share, nullptr, &rest);
}

/// How much room there is, in units: a window at 200 % has half as much as its pixels say.
struct Room {
  ImVec2 units;
  [[nodiscard]] bool wide() const { return units.x >= 1600; }
  [[nodiscard]] bool narrow() const { return units.x < 1100; }
  /// Too low for pictures above each other.
  [[nodiscard]] bool low() const { return units.y < 600; }
  /// The share that `least` units of height are, but not less than `share`.
  [[nodiscard]] float height(float share, float least) const {
    return std::clamp(least / std::max(1.0f, units.y), share, 0.4f);
  }
};

constexpr float kTimeline = 150;  // units: its buttons, the mask and a few warps

void explore(ImGuiID rest, const Room& room) {
  const ImGuiID bottom = split(rest, ImGuiDir_Down, room.height(0.2f, kTimeline));
  ImGuiID left = split(rest, ImGuiDir_Left, room.narrow() ? 0.4f : 0.29f);
  // A narrow window has no room for a third column.
  ImGuiID right =
      room.narrow() ? split(left, ImGuiDir_Down, 0.5f) : split(rest, ImGuiDir_Right, 0.285f);
  ImGuiID lower = room.low() ? rest : split(rest, ImGuiDir_Down, 0.43f);
  dock("source", left);
  dock({"index_map", "sweep", "timing", "compare"}, rest);
  // A wide window has room for banks beside sectors; a narrower one shows one at a time.
  if (room.wide()) {
    const ImGuiID table = split(right, ImGuiDir_Down, 0.4f);
    dock("sectors", split(lower, ImGuiDir_Right, 0.46f));
    dock("banks", lower);
    dock("parameters", right);
    dock({"lanes", "why"}, table);
  } else {
    dock("parameters", right);
    dock({"banks", "sectors", "lanes"}, lower);
    dock("why", room.low() ? right : lower);
  }
  dock({"timeline", "diagnostics"}, bottom);
}

// The index map and the banks, large, beside the text that they explain.
void lecture(ImGuiID rest, const Room& room) {
  const ImGuiID bottom = split(rest, ImGuiDir_Down, room.height(0.17f, kTimeline));
  ImGuiID left = split(rest, ImGuiDir_Left, room.wide() ? 0.3f : 0.34f);
  const ImGuiID settings = split(left, ImGuiDir_Down, 0.34f);
  const ImGuiID lower = room.low() ? rest : split(rest, ImGuiDir_Down, 0.46f);
  dock("source", left);
  dock({"parameters", "why"}, settings);
  dock({"index_map", "sweep", "timing", "compare"}, rest);
  dock({"banks", "sectors", "lanes"}, lower);
  dock({"timeline", "diagnostics"}, bottom);
}

void compare(ImGuiID rest, const Room& room) {
  const ImGuiID bottom = split(rest, ImGuiDir_Down, room.height(0.17f, kTimeline));
  if (room.wide()) {
    ImGuiID left = split(rest, ImGuiDir_Left, 0.24f);
    const ImGuiID texts = split(left, ImGuiDir_Down, 0.5f);
    ImGuiID right = split(rest, ImGuiDir_Right, 0.44f);
    const ImGuiID lower = split(right, ImGuiDir_Down, 0.5f);
    dock("parameters", left);
    dock({"source", "why", "lanes"}, texts);
    dock({"compare", "index_map", "banks", "sectors"}, rest);
    dock("timing", right);
    dock("sweep", lower);
  } else {
    const ImGuiID right = split(rest, ImGuiDir_Right, 0.42f);
    dock({"compare", "index_map", "banks", "sectors", "source"}, rest);
    dock({"parameters", "timing", "sweep", "why", "lanes"}, right);
  }
  dock({"timeline", "diagnostics"}, bottom);
}

void projector(ImGuiID rest, const Room& room) {
  const bool roomy = room.units.y >= 800;
  const ImGuiID bottom = split(rest, ImGuiDir_Down, room.height(0.2f, kTimeline));
  const ImGuiID left = split(rest, ImGuiDir_Left, 0.36f);
  const ImGuiID lower = roomy ? split(rest, ImGuiDir_Down, 0.5f) : rest;
  dock({"parameters", "source", "why"}, left);
  dock({"index_map", "sweep", "timing", "compare"}, rest);
  dock({"banks", "sectors", "lanes"}, lower);
  dock({"timeline", "diagnostics"}, bottom);
}

bool is_one_of(std::string_view view, std::initializer_list<std::string_view> ids) {
  return std::find(ids.begin(), ids.end(), view) != ids.end();
}

}  // namespace

void build_layout(Preset preset, ImGuiID dockspace, ImVec2 size, ImVec2 units) {
  ImGui::DockBuilderRemoveNode(dockspace);
  ImGui::DockBuilderAddNode(dockspace, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(dockspace, size);
  const Room room{units};
  switch (preset) {
  case Preset::explore:
    explore(dockspace, room);
    break;
  case Preset::lecture:
    lecture(dockspace, room);
    break;
  case Preset::compare:
    compare(dockspace, room);
    break;
  case Preset::projector:
    projector(dockspace, room);
    break;
  }
  ImGui::DockBuilderFinish(dockspace);
}

bool starts_closed(Preset preset, std::string_view view) {
  if (preset == Preset::lecture) return is_one_of(view, {"lanes", "sweep", "timing", "compare"});
  return preset == Preset::projector &&
         is_one_of(view, {"sectors", "lanes", "sweep", "timing", "compare"});
}

const std::vector<const char*>& front_tabs(Preset preset) {
  static const std::vector<const char*> comparing{"source", "timeline", "parameters",
                                                  "timing", "sweep",    "compare"};
  static const std::vector<const char*> others{"lanes",      "source", "timeline",
                                               "parameters", "banks",  "index_map"};
  static const std::vector<const char*> projecting{"timeline", "source", "banks", "index_map"};
  if (preset == Preset::projector) return projecting;
  return preset == Preset::compare ? comparing : others;
}

void show_tab(const char* id) {
  ImGuiWindow* window = window_of(id);
  if (window && window->DockNode && window->DockNode->TabBar) {
    window->DockNode->TabBar->NextSelectedTabId = window->TabId;
  }
}

void show_view(const char* id) {
  show_tab(id);
  ImGui::SetWindowFocus((std::string("###") + id).c_str());
}

bool tab_in_front(const char* id) {
  const ImGuiWindow* window = window_of(id);
  return window && (!window->DockNode || window->DockNode->VisibleWindow == window);
}

void fade_window(const char* id, float alpha) {
  const ImGuiWindow* root = window_of(id);
  if (!root || root->Hidden) return;
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const bool inside = window->Active && ImGui::IsWindowChildOf(
                                              window, const_cast<ImGuiWindow*>(root), false, false);
    if (!inside || (window->Flags & (ImGuiWindowFlags_Popup | ImGuiWindowFlags_Tooltip))) continue;
    for (ImDrawVert& vertex : window->DrawList->VtxBuffer) vertex.col = faded(vertex.col, alpha);
  }
}

}  // namespace lanescope::app
