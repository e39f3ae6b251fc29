#include "views/window/keyboard.h"

#include <algorithm>
#include <utility>

#include "core/course/classroom.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "views/command/chords.h"
#include "views/command/commands.h"
#include "views/fragments/fragments_view.h"
#include "views/lesson/lesson_view.h"
#include "views/source/source_view.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

bool typed(char character) {
  const auto& queue = ImGui::GetIO().InputQueueCharacters;
  return character &&
         std::find(queue.begin(), queue.end(), static_cast<ImWchar>(character)) != queue.end();
}

bool is_arrow(ImGuiKeyChord chord) {
  return chord >= ImGuiKey_LeftArrow && chord <= ImGuiKey_DownArrow;
}

bool asked_for(const Command& command, bool typing, bool arrows_taken) {
  for (const ImGuiKeyChord chord : command.keys) {
    if (!pressed(chord) || (arrows_taken && is_arrow(chord))) continue;
    const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
    if (command.repeats || ImGui::IsKeyPressed(key, false)) return true;
  }
  return !typing && typed(command.character);
}

// A list, a menu or a small question closes without an answer; dialogs see to it themselves.
void escape_popup() {
  if (!ImGui::IsKeyPressed(ImGuiKey_Escape, false)) return;
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (g.OpenPopupStack.empty()) return;
  const ImGuiWindow* top = g.OpenPopupStack.back().Window;
  if (top && (top->Flags & ImGuiWindowFlags_Modal) == 0)
    ImGui::ClosePopupToLevel(g.OpenPopupStack.Size - 1, true);
}

// While the lesson has the keyboard, arrows, F5 and b are what a clicker sends.
const char* clicker_command(const ViewContext& ctx, bool focused) {
  if (!ctx.lessons || !ctx.lessons->lesson) return nullptr;
  static constexpr std::pair<ImGuiKey, const char*> kKeys[] = {{ImGuiKey_RightArrow, "lesson.next"},
                                                               {ImGuiKey_LeftArrow, "lesson.back"},
                                                               {ImGuiKey_Period, "lesson.black"},
                                                               {ImGuiKey_B, "lesson.black"},
                                                               {ImGuiKey_F5, "lesson.return"}};
  for (const auto& [key, command] : kKeys)
    if (focused && ImGui::IsKeyPressed(key, false) && ImGui::GetIO().KeyMods == 0) return command;
  return nullptr;
}

}  // namespace

void handle_keys(const ViewContext& ctx, Workspace& workspace, Actions& actions) {
  const bool in_source = state_of<SourceState>(workspace).focused;
  const bool typing = ImGui::GetIO().WantTextInput || in_source;
  // Said anew by the view whenever it is drawn.
  const bool arrows_taken = std::exchange(state_of<FragmentsState>(workspace).takes_arrows, false);
  const bool dialog =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (in_source && ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::SetWindowFocus("###index_map");
  escape_popup();
  if (!dialog && workspace.tour.step >= 0 && ImGui::IsKeyPressed(ImGuiKey_Escape, false))
    return end_tour(workspace);
  CommandCall call{ctx, workspace, actions};
  if (const char* id = dialog || typing
                           ? nullptr
                           : clicker_command(ctx, state_of<LessonState>(workspace).focused))
    return run_command(*find_command(id), call);
  for (const Command& command : commands()) {
    if (dialog && command.when != When::always) continue;
    // What was typed and what was set are one history: the text's own undo is not asked.
    const bool history = in_source && (command.id == "undo" || command.id == "redo");
    if (typing && command.when == When::not_typing && !history) continue;
    if (!asked_for(command, typing, arrows_taken)) continue;
    run_command(command, call);
    for (const ImGuiKey key : {ImGuiKey_Z, ImGuiKey_Y})
      if (history) ImGui::SetKeyOwner(key, ImGui::GetID("history"), ImGuiInputFlags_LockThisFrame);
  }
}

}  // namespace lanescope::app
