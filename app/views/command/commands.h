// Everything that one can tell the window to do, in one table. The menus, the keyboard, the palette
// and the cheat sheet are made from it, so that they cannot disagree. To add a command, add it to
// its menu in lists/ and its title to a translation table.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct Workspace;

struct CommandCall {
  const ViewContext& view;
  Workspace& workspace;
  Actions& actions;
};

enum class Menu { file, kernel, view, go, help };
/// Where a command's keys work: while nobody types, also while one types, even while a dialog asks.
enum class When { not_typing, typing, always };

struct Command {
  /// Never changes: "step.forward"
  std::string id;
  Menu menu = Menu::view;
  /// Within the menu; a rule is drawn between groups
  int group = 0;
  /// English
  const char* title;
  /// English title of the menu inside the menu that it is in
  const char* submenu = nullptr;
  /// The first is the one that is shown
  std::vector<ImGuiKeyChord> keys = {};
  /// Typed on any keyboard, wherever the key is: '?'
  char character = 0;
  When when = When::not_typing;
  /// While the key is held
  bool repeats = false;
  std::function<void(CommandCall&)> run;
  /// None: always
  std::function<bool(const CommandCall&)> enabled = nullptr;
  /// None: has no state
  std::function<bool(const CommandCall&)> checked = nullptr;
};

const std::vector<Command>& commands();
/// Null if there is none.
const Command* find_command(std::string_view id);
bool is_enabled(const Command& command, const CommandCall& call);
void run_command(const Command& command, CommandCall& call);
/// "Ctrl+Shift+S", "→"; "" for a command without keys.
std::string keys_text(const Command& command);
std::string keys_text(ImGuiKeyChord chord);
/// "Play (Space)", for a button's tooltip.
std::string tooltip_text(std::string_view id);
/// The last item's tooltip is this command's, also while the item is disabled.
void command_tooltip(std::string_view id);

/// A menu's items, of groups `first` to `last`.
void menu_items(CommandCall& call, Menu menu, int first = 0, int last = 99);

}  // namespace lanescope::app
