#include "views/layout.h"

#include <string>

#include "imgui_internal.h"
#include "views/palette.h"

namespace lanescope::app {
namespace {

ImGuiWindow* window_of(const char* id) {
  return ImGui::FindWindowByName((std::string("###") + id).c_str());
}

void dock(const char* id, ImGuiID node) {
  ImGui::DockBuilderDockWindow((std::string("###") + id).c_str(), node);
}

}  // namespace

void build_default_layout(ImGuiID dockspace, ImVec2 size) {
  ImGui::DockBuilderRemoveNode(dockspace);
  ImGui::DockBuilderAddNode(dockspace, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(dockspace, size);
  ImGuiID rest = dockspace;
  const ImGuiID bottom = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Down, 0.2f, nullptr, &rest);
  const ImGuiID left = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, 0.29f, nullptr, &rest);
  const ImGuiID right = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, 0.285f, nullptr, &rest);
  ImGuiID middle = rest;
  const ImGuiID lower = ImGui::DockBuilderSplitNode(middle, ImGuiDir_Down, 0.43f, nullptr, &middle);
  dock("source", left);
  for (const char* id : {"index_map", "sweep", "timing", "compare"}) dock(id, middle);
  // A wide window has room for banks beside sectors; a narrow one shows one at a time.
  const bool wide = size.x >= 1600;
  ImGuiID banks = lower;
  const ImGuiID sectors =
      wide ? ImGui::DockBuilderSplitNode(lower, ImGuiDir_Right, 0.46f, nullptr, &banks) : lower;
  dock("banks", banks);
  dock("sectors", sectors);
  if (wide) {
    ImGuiID upper = right;
    const ImGuiID table = ImGui::DockBuilderSplitNode(right, ImGuiDir_Down, 0.36f, nullptr, &upper);
    dock("parameters", upper);
    dock("lanes", table);
    dock("why", table);
  } else {
    dock("parameters", right);
    dock("lanes", lower);
    dock("why", lower);
  }
  dock("timeline", bottom);
  dock("diagnostics", bottom);
  ImGui::DockBuilderFinish(dockspace);
}

void show_tab(const char* id) {
  ImGuiWindow* window = window_of(id);
  if (window && window->DockNode && window->DockNode->TabBar) {
    window->DockNode->TabBar->NextSelectedTabId = window->TabId;
  }
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
