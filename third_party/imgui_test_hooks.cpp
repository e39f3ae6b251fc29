// Dear ImGui is compiled once, with the hooks of its test engine switched on. A program that does not
// link the test engine gets these, which do nothing; in the GUI tests the engine's own, strong
// definitions take their place.
#include "imgui.h"
#include "imgui_internal.h"

[[gnu::weak]] void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID, const ImRect&,
                                               const ImGuiLastItemData*) {}
[[gnu::weak]] void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID, const char*,
                                                ImGuiItemStatusFlags) {}
[[gnu::weak]] void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
[[gnu::weak]] const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) {
  return nullptr;
}
