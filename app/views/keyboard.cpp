#include "views/keyboard.h"

#include "imgui.h"
#include "views/chords.h"
#include "views/workspace.h"

namespace lanescope::app {
namespace {

struct StepKey {
  ImGuiKeyChord chord;
  StepMove move;
};
constexpr StepKey kStepKeys[] = {
    {ImGuiKey_RightArrow, StepMove::forward},
    {ImGuiKey_LeftArrow, StepMove::back},
    {ImGuiKey_DownArrow, StepMove::next_access},
    {ImGuiKey_UpArrow, StepMove::previous_access},
    {ImGuiMod_Shift | ImGuiKey_RightArrow, StepMove::next_access},
    {ImGuiMod_Shift | ImGuiKey_LeftArrow, StepMove::previous_access},
    {ImGuiKey_N, StepMove::next_line},
    {ImGuiKey_P, StepMove::previous_line},
    {ImGuiKey_B, StepMove::next_barrier},
    {ImGuiMod_Shift | ImGuiKey_B, StepMove::previous_barrier},
    {ImGuiKey_Home, StepMove::first},
    {ImGuiKey_End, StepMove::last},
};

}  // namespace

void handle_keys(const ViewContext& ctx, Workspace& workspace, Actions& actions) {
  const ImGuiIO& io = ImGui::GetIO();
  file_keys(workspace.files, actions);
  if (workspace.source.focused && ImGui::IsKeyPressed(ImGuiKey_Escape))
    ImGui::SetWindowFocus("###index_map");
  if (io.WantTextInput || workspace.source.focused) return;
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return;
  for (const StepKey& key : kStepKeys) {
    if (pressed(key.chord)) actions.push_back(MoveStep{key.move});
  }
  if (pressed(ImGuiKey_Space)) {
    workspace.timeline.playing = !workspace.timeline.playing;
    workspace.timeline.next_at = ImGui::GetTime();
  }
  const auto warps =
      ctx.focus.trace ? static_cast<std::uint32_t>(ctx.focus.trace->warps.size()) : 0u;
  if (pressed(ImGuiKey_RightBracket) && ctx.focus.warp + 1 < warps)
    actions.push_back(SelectWarp{ctx.focus.warp + 1});
  if (pressed(ImGuiKey_LeftBracket) && ctx.focus.warp > 0)
    actions.push_back(SelectWarp{ctx.focus.warp - 1});
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Z)) actions.push_back(Undo{});
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Y) || pressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z)) {
    actions.push_back(Redo{});
  }
  if (pressed(ImGuiKey_Escape)) {
    actions.push_back(SelectLane{-1});
    actions.push_back(SelectCell{});
  }
}

}  // namespace lanescope::app
