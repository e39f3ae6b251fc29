// Dear ImGui is compiled once, with the hooks of its test engine switched on. A program that does not
// link the test engine gets these; in the GUI tests the engine's own, strong definitions take their place.
#include "imgui.h"
#include "imgui_internal.h"

namespace lanescope {
// Called for every item of a frame while the context's TestEngineHookItems is on; see platform/items.cpp.
void (*imgui_item_added)(ImGuiID id, const ImRect& box) = nullptr;
void (*imgui_item_labelled)(ImGuiID id, const char* label) = nullptr;
}  // namespace lanescope

[[gnu::weak]] void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID id, const ImRect& box,
                                               const ImGuiLastItemData*) {
  if (lanescope::imgui_item_added) lanescope::imgui_item_added(id, box);
}
[[gnu::weak]] void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID id, const char* label,
                                                ImGuiItemStatusFlags) {
  if (lanescope::imgui_item_labelled) lanescope::imgui_item_labelled(id, label);
}
[[gnu::weak]] void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
[[gnu::weak]] const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) {
  return nullptr;
}
