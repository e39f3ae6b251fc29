#include "views/window/layout.h"

#include <algorithm>
#include <string>
#include <vector>

#include "imgui_internal.h"
#include "views/draw/colours.h"

namespace lanescope::app {
namespace {

ImGuiWindow* window_of(const char* id) {
  return ImGui::FindWindowByName((std::string("###") + id).c_str());
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

constexpr float kTwoColumns = 700;       // units that two columns need
constexpr float kTwoRows = 400;          // … and a picture over a timeline
constexpr float kBesideMap = 0.28f;      // of the width, beside the index map in a lecture
constexpr float kTextBelowTask = 0.54f;  // of the height, in an exercise
constexpr float kTimeline = 150;         // units: its buttons, the mask and a few warps

// The index map before all else, with the lines and the banks that it shows beside it; everything else
// is a tab behind those. Where type is so large that two columns cannot be read, the map alone.
Places lecture(ImGuiID rest, const Room& room) {
  const bool is_alone = room.units.x < kTwoColumns;
  ImGuiID upper = is_alone ? rest : split_off(rest, ImGuiDir_Right, kBesideMap);
  const ImGuiID lower = is_alone ? rest : split_off(upper, ImGuiDir_Down, 0.46f);
  return {.text = upper,
          .settings = upper,
          .map = rest,
          .sweep = rest,
          .timing = rest,
          .banks = lower,
          .sectors = lower,
          .lanes = lower,
          .why = lower,
          .bottom = lower};
}

// A window too small for pictures beside each other: one column more or one row less.
Places explore_closely(ImGuiID rest, const Room& room) {
  const ImGuiID bottom = split_off(rest, ImGuiDir_Down, room.height(0.2f, kTimeline));
  ImGuiID left = split_off(rest, ImGuiDir_Left, room.narrow() ? 0.4f : 0.29f);
  // A narrow window has no room for a third column.
  const ImGuiID right = room.narrow() ? split_off(left, ImGuiDir_Down, 0.5f)
                                      : split_off(rest, ImGuiDir_Right, 0.285f);
  const ImGuiID lower = room.low() ? rest : split_off(rest, ImGuiDir_Down, 0.36f);
  const ImGuiID map = room.low() ? lower : rest;
  return {.text = left,
          .settings = right,
          .map = map,
          .sweep = map,
          .timing = map,
          .banks = lower,
          .sectors = lower,
          .lanes = lower,
          .why = room.low() ? right : lower,
          .bottom = bottom};
}

// The map is what one looks at first: it has the height of the text beside it, and what explains one
// access stands beside the timeline below both.
Places explore(ImGuiID rest, const Room& room) {
  if (room.units.x < kTwoColumns && room.units.y < kTwoRows) return lecture(rest, room);
  if (room.narrow() || room.low()) return explore_closely(rest, room);
  ImGuiID right = split_off(rest, ImGuiDir_Right, 0.205f);
  ImGuiID bottom = split_off(rest, ImGuiDir_Down, room.wide() ? 0.35f : 0.31f);
  ImGuiID banks = split_off(bottom, ImGuiDir_Right, room.wide() ? 0.62f : 0.57f);
  Places places{.text = split_off(rest, ImGuiDir_Left, room.wide() ? 0.35f : 0.34f),
                .settings = right,
                .map = rest,
                .sweep = rest,
                .timing = rest,
                .bottom = bottom};
  // A wide window has room for banks beside sectors; a narrower one shows one at a time.
  if (room.wide()) {
    places.lanes = places.why = split_off(right, ImGuiDir_Down, 0.4f);
    places.sectors = split_off(banks, ImGuiDir_Right, 0.46f);
    places.settings = right;
  } else {
    places.sectors = places.lanes = places.why = banks;
  }
  places.banks = banks;
  return places;
}

Places compare(ImGuiID rest, const Room& room) {
  const ImGuiID bottom = split_off(rest, ImGuiDir_Down, room.height(0.17f, kTimeline));
  Places places{};
  if (room.wide()) {
    places.settings = split_off(rest, ImGuiDir_Left, 0.24f);
    places.text = split_off(places.settings, ImGuiDir_Down, 0.5f);
    places.why = places.lanes = places.text;
    places.timing = split_off(rest, ImGuiDir_Right, 0.44f);
    places.sweep = split_off(places.timing, ImGuiDir_Down, 0.5f);
  } else {
    places.settings = split_off(rest, ImGuiDir_Right, 0.42f);
    places.timing = places.sweep = places.why = places.lanes = places.settings;
    places.text = rest;
  }
  places.map = places.banks = places.sectors = rest;
  places.bottom = bottom;
  return places;
}

// The task over the text that is to solve it, and beside them what the text does: two columns, so that
// neither is narrow. Where there is no room for two pictures above each other, they share a place.
Places exercise(ImGuiID rest, const Room& room) {
  const bool is_alone = room.units.x < kTwoColumns;
  ImGuiID task = is_alone ? rest : split_off(rest, ImGuiDir_Left, room.wide() ? 0.4f : 0.46f);
  const ImGuiID text = is_alone ? rest : split_off(task, ImGuiDir_Down, kTextBelowTask);
  const ImGuiID banks = is_alone || room.low() ? rest : split_off(rest, ImGuiDir_Down, 0.42f);
  return {.text = text,
          .settings = task,
          .map = rest,
          .sweep = rest,
          .timing = rest,
          .banks = banks,
          .sectors = banks,
          .lanes = banks,
          .why = banks,
          .bottom = banks};
}

Places places_of(Preset preset, ImGuiID dockspace, const Room& room) {
  switch (preset) {
  case Preset::lecture:
  case Preset::projector:
    return lecture(dockspace, room);
  case Preset::compare:
    return compare(dockspace, room);
  case Preset::exercise:
    return exercise(dockspace, room);
  case Preset::explore:
  case Preset::lesson:  // arranged by its scenes: see lesson_layout.h
    break;
  }
  return explore(dockspace, room);
}

}  // namespace

ImGuiID split_off(ImGuiID& rest, ImGuiDir direction, float share) {
  return ImGui::DockBuilderSplitNode(rest, direction, share, nullptr, &rest);
}

int start_of(const View& view, Preset preset) {
  const int start = view.starts[static_cast<std::size_t>(preset)];
  // What stands beside a lesson its scenes say.
  return preset == Preset::lesson && start == kBehind ? kClosed : start;
}

void build_layout(Preset preset, ImGuiID dockspace, ImVec2 size, ImVec2 units) {
  ImGui::DockBuilderRemoveNode(dockspace);
  ImGui::DockBuilderAddNode(dockspace, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(dockspace, size);
  Places places = places_of(preset, dockspace, Room{units});
  if (!places.lesson) places.lesson = places.text;
  for (const View& view : views())
    ImGui::DockBuilderDockWindow((std::string("###") + view.id).c_str(), places.*view.place);
  ImGui::DockBuilderFinish(dockspace);
}

void show_front_tabs(Preset preset) {
  std::vector<const View*> front;
  for (const View& view : views()) {
    if (start_of(view, preset) > kBehind) front.push_back(&view);
  }
  std::sort(front.begin(), front.end(), [preset](const View* a, const View* b) {
    return start_of(*a, preset) < start_of(*b, preset);
  });
  for (const View* view : front) show_tab(view->id);
  if (!front.empty()) ImGui::SetWindowFocus((std::string("###") + front.back()->id).c_str());
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
