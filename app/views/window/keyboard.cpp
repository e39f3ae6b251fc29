#include "views/window/keyboard.h"

#include <algorithm>

#include "imgui.h"
#include "views/command/chords.h"
#include "views/command/commands.h"
#include "views/source/source_view.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

bool typed(char character) {
  const auto& queue = ImGui::GetIO().InputQueueCharacters;
  return character &&
         std::find(queue.begin(), queue.end(), static_cast<ImWchar>(character)) != queue.end();
}

bool asked_for(const Command& command, bool typing) {
  for (const ImGuiKeyChord chord : command.keys) {
    if (!pressed(chord)) continue;
    const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
    if (command.repeats || ImGui::IsKeyPressed(key, false)) return true;
  }
  return !typing && typed(command.character);
}

}  // namespace

void handle_keys(const ViewContext& ctx, Workspace& workspace, Actions& actions) {
  const bool in_source = state_of<SourceState>(workspace).focused;
  const bool typing = ImGui::GetIO().WantTextInput || in_source;
  const bool dialog =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (in_source && ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::SetWindowFocus("###index_map");
  CommandCall call{ctx, workspace, actions};
  for (const Command& command : commands()) {
    if (dialog && command.when != When::always) continue;
    if (typing && command.when == When::not_typing) continue;
    if (asked_for(command, typing)) run_command(command, call);
  }
}

}  // namespace lanescope::app
