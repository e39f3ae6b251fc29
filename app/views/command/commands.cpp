#include "views/command/commands.h"

#include <algorithm>
#include <cstring>

#include "views/draw/tr.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

struct KeyName {
  ImGuiKey key;
  const char* name;
};
constexpr KeyName kKeyNames[] = {
    {ImGuiKey_LeftArrow, "←"}, {ImGuiKey_RightArrow, "→"},    {ImGuiKey_UpArrow, "↑"},
    {ImGuiKey_DownArrow, "↓"}, {ImGuiKey_LeftBracket, "["},   {ImGuiKey_RightBracket, "]"},
    {ImGuiKey_Equal, "+"},     {ImGuiKey_Minus, "-"},         {ImGuiKey_Escape, "Esc"},
    {ImGuiKey_Comma, ","},     {ImGuiKey_Period, "."},        {ImGuiKey_Slash, "/"},
    {ImGuiKey_KeypadAdd, "+"}, {ImGuiKey_KeypadSubtract, "-"}};

void menu_item(CommandCall& call, const Command& command) {
  const bool checked = command.checked && command.checked(call);
  const std::string label = std::string(tr(command.title)) + "###" + command.id;
  const std::string keys = keys_text(command);
  if (ImGui::MenuItem(label.c_str(), keys.empty() ? nullptr : keys.c_str(), checked,
                      is_enabled(command, call)))
    run_command(command, call);
}

}  // namespace

const Command* find_command(std::string_view id) {
  const auto& all = commands();
  const auto found =
      std::find_if(all.begin(), all.end(), [id](const Command& c) { return c.id == id; });
  return found == all.end() ? nullptr : &*found;
}

bool is_enabled(const Command& command, const CommandCall& call) {
  return !command.enabled || command.enabled(call);
}

void run_command(const Command& command, CommandCall& call) {
  if (is_enabled(command, call)) command.run(call);
}

std::string keys_text(ImGuiKeyChord chord) {
  std::string text;
  if (chord & ImGuiMod_Ctrl) text += "Ctrl+";
  if (chord & ImGuiMod_Shift) text += "Shift+";
  if (chord & ImGuiMod_Alt) text += "Alt+";
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  for (const KeyName& known : kKeyNames) {
    if (known.key == key) return text + known.name;
  }
  return text + ImGui::GetKeyName(key);
}

std::string keys_text(const Command& command) {
  if (!command.keys.empty()) return keys_text(command.keys.front());
  return command.character ? std::string(1, command.character) : "";
}

std::string tooltip_text(std::string_view id) {
  const Command* command = find_command(id);
  if (!command) return "";
  const std::string keys = keys_text(*command);
  return tr(command->title) + (keys.empty() ? "" : " (" + keys + ")");
}

void command_tooltip(std::string_view id) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip(tooltip_text(id));
}

void menu_items(CommandCall& call, Menu menu, int first, int last) {
  const Command* before = nullptr;
  bool submenu_open = false;
  const auto same = [](const char* a, const char* b) { return a && b && std::strcmp(a, b) == 0; };
  for (const Command& command : commands()) {
    if (command.menu != menu || command.group < first || command.group > last) continue;
    const bool same_submenu = before && same(before->submenu, command.submenu);
    if (before && before->submenu && !same_submenu && submenu_open) {
      ImGui::EndMenu();
      submenu_open = false;
    }
    if (before && before->group != command.group) ImGui::Separator();
    if (command.submenu && !same_submenu) submenu_open = ImGui::BeginMenu(tr(command.submenu));
    before = &command;
    if (!command.submenu || submenu_open) menu_item(call, command);
  }
  if (submenu_open) ImGui::EndMenu();
}

}  // namespace lanescope::app
