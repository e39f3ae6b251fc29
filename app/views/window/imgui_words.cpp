#include "views/window/imgui_words.h"

#include <array>
#include <string>

#include "imgui_internal.h"
#include "views/draw/tr.h"

namespace lanescope::app {
namespace {

struct Word {
  ImGuiLocKey key;
  const char* english;
  /// Of the item that it names, or none
  const char* id;
};
constexpr Word kWords[] = {
    {ImGuiLocKey_TableSizeOne, "Size column to fit", "###SizeOne"},
    {ImGuiLocKey_TableSizeAllFit, "Size all columns to fit", "###SizeAll"},
    {ImGuiLocKey_TableSizeAllDefault, "Size all columns to default", "###SizeAll"},
    {ImGuiLocKey_TableResetOrder, "Reset order", "###ResetOrder"},
    {ImGuiLocKey_TableResetVisibility, "Reset visibility", "###ResetVisibility"},
    {ImGuiLocKey_WindowingMainMenuBar, "(Main menu bar)", ""},
    {ImGuiLocKey_WindowingPopup, "(Popup)", ""},
    {ImGuiLocKey_WindowingUntitled, "(Untitled)", ""},
    {ImGuiLocKey_DockingHideTabBar, "Hide tab bar", "###HideTabBar"},
    {ImGuiLocKey_DockingHoldShiftToDock, "Hold SHIFT to enable Docking window.", ""},
    {ImGuiLocKey_DockingDragToUndockOrMoveNode, "Click and drag to move or undock whole node.",
     ""}};

}  // namespace

void translate_imgui() {
  // ImGui keeps the addresses only.
  static std::array<std::string, std::size(kWords)> texts;
  std::array<ImGuiLocEntry, std::size(kWords)> entries{};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    texts[i] = std::string(tr(kWords[i].english)) + kWords[i].id;
    entries[i] = {kWords[i].key, texts[i].c_str()};
  }
  ImGui::LocalizeRegisterEntries(entries.data(), static_cast<int>(entries.size()));
}

}  // namespace lanescope::app
