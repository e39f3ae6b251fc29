#include "views/window/lesson_layout.h"

#include <algorithm>
#include <string>

#include "core/classroom/classroom.h"
#include "imgui_internal.h"
#include "views/lesson/presenter_view.h"
#include "views/map/index_map.h"
#include "views/timing/timing_view.h"
#include "views/window/layout.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

constexpr const char* kLesson = "lesson";
constexpr const char* kPresenter = "presenter";
constexpr float kWide = 1500, kNarrow = 950;  // units of width
constexpr float kStrip = 150;                 // units of height: the presenter's notes

void dock(const char* view, ImGuiID node) {
  ImGui::DockBuilderDockWindow((std::string("###") + view).c_str(), node);
}

// A node for each view: one above the other, and a third beside the second.
std::vector<ImGuiID> nodes_beside(ImGuiID rest, std::size_t views) {
  if (views <= 1) return {rest};
  ImGuiID upper = rest;
  ImGuiID lower = split_off(upper, ImGuiDir_Down, 0.46f);
  if (views == 2) return {upper, lower};
  const ImGuiID right = split_off(lower, ImGuiDir_Right, 0.5f);
  return {upper, lower, right};
}

bool shows(const Workspace& workspace, const char* view) {
  const auto& views = workspace.lesson_views;
  return std::find(views.begin(), views.end(), view) != views.end();
}

// Where nothing is said: the text, and the picture of the memory that the scene is about.
std::vector<std::string> views_of(const Scene& scene) {
  if (!scene.views.empty()) return scene.views;
  if (!scene.device.empty()) return {scene.device, "source"};
  if (scene.access.starts_with("shared")) return {"index_map", "banks"};
  if (scene.access.starts_with("global")) return {"index_map", "sectors"};
  return {"index_map", "source"};
}

void arrange(Workspace& workspace, const Scene& scene) {
  const std::optional<Preset> preset = preset_of(scene.layout);
  if (preset && *preset != Preset::lesson) {
    workspace.layouts.wanted = *preset;
    workspace.set_open(kLesson, true);
    return;
  }
  std::vector<std::string> views = views_of(scene);
  const bool same = workspace.layouts.current == Preset::lesson && views == workspace.lesson_views;
  if (same) return;
  workspace.lesson_views = std::move(views);
  if (workspace.layouts.current != Preset::lesson) {
    workspace.before_lesson = workspace.layouts.current;
    workspace.layouts.wanted = Preset::lesson;
  }
  workspace.layouts.kept[static_cast<std::size_t>(Preset::lesson)].clear();
  workspace.reset_layout = true;
}

}  // namespace

void build_lesson_layout(Workspace& workspace, ImGuiID dockspace, ImVec2 size, ImVec2 units) {
  ImGui::DockBuilderRemoveNode(dockspace);
  ImGui::DockBuilderAddNode(dockspace, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(dockspace, size);
  ImGuiID rest = dockspace;
  ImGuiID strip = 0;
  if (state_of<PresenterState>(workspace).wanted)
    strip = split_off(rest, ImGuiDir_Down, std::clamp(kStrip / units.y, 0.15f, 0.35f));
  const float share = units.x >= kWide ? 0.3f : units.x < kNarrow ? 0.45f : 0.35f;
  const ImGuiID left = split_off(rest, ImGuiDir_Left, share);
  const std::vector<ImGuiID> nodes = nodes_beside(rest, workspace.lesson_views.size());
  // What the scene does not show comes behind its first view.
  for (const View& view : views()) dock(view.id, nodes.front());
  dock(kLesson, left);
  // Its title would be there twice, and every line counts on a projector.
  ImGui::DockBuilderGetNode(left)->SetLocalFlags(ImGuiDockNodeFlags_AutoHideTabBar);
  dock(kPresenter, strip ? strip : left);
  for (std::size_t i = 0; i < workspace.lesson_views.size(); ++i)
    dock(workspace.lesson_views[i].c_str(), nodes[std::min(i, nodes.size() - 1)]);
  ImGui::DockBuilderFinish(dockspace);
}

bool opens_in_lesson(Workspace& workspace, const char* view) {
  const std::string_view id = view;
  if (id == kPresenter) return state_of<PresenterState>(workspace).wanted;
  return id == kLesson || shows(workspace, view);
}

void follow_lesson(Workspace& workspace) {
  const bool arranged = workspace.layouts.current == Preset::lesson && workspace.frames > 0;
  if (arranged && !workspace.reset_layout && !workspace.is_open(kPresenter))
    state_of<PresenterState>(workspace).wanted = false;  // its tab has been closed
  if (!workspace.lessons || workspace.lessons->opened == workspace.followed_scene) return;
  workspace.followed_scene = workspace.lessons->opened;
  if (const Scene* scene = workspace.lessons->shown()) {
    arrange(workspace, *scene);
    state_of<IndexMapState>(workspace).overview = scene->overview;
    if (scene->timing) state_of<TimingState>(workspace).query = *scene->timing;
  } else if (workspace.layouts.current == Preset::lesson) {
    workspace.layouts.wanted = workspace.before_lesson;
  }
}

}  // namespace lanescope::app
