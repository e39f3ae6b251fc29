// Keys with modifiers, as they were pressed.
#pragma once

#include "imgui.h"

namespace lanescope::app {

/// The modifiers that were held at any time since the last frame: when frames are slow, a quick
/// Ctrl+Z is pressed and let go of between two of them.
inline ImGuiKeyChord held_modifiers() {
  ImGuiKeyChord held = ImGui::GetIO().KeyMods;
  if (ImGui::IsKeyReleased(ImGuiKey_LeftCtrl) || ImGui::IsKeyReleased(ImGuiKey_RightCtrl))
    held |= ImGuiMod_Ctrl;
  if (ImGui::IsKeyReleased(ImGuiKey_LeftShift) || ImGui::IsKeyReleased(ImGuiKey_RightShift))
    held |= ImGuiMod_Shift;
  return held;
}

inline bool pressed(ImGuiKeyChord chord) {
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  return ImGui::IsKeyPressed(key, true) && held_modifiers() == (chord & ImGuiMod_Mask_);
}

}  // namespace lanescope::app
