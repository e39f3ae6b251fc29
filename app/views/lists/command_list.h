// The parts of the table of commands, a file for each menu or two.
#pragma once

#include <vector>

#include "views/command/commands.h"

namespace lanescope::app {

inline constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift;

/// A command that asks the session or the files for something.
template <class A>
auto ask(A action) {
  return [action](CommandCall& call) { call.actions.push_back(action); };
}

void add_file_commands(std::vector<Command>& all);
void add_kernel_commands(std::vector<Command>& all);
/// Views opened and closed, and what is drawn in them.
void add_view_commands(std::vector<Command>& all);
/// Colours, size, language.
void add_look_commands(std::vector<Command>& all);
void add_layout_commands(std::vector<Command>& all);
void add_go_commands(std::vector<Command>& all);
/// The index map's animation; its colours and what is drawn on it.
void add_map_motion_commands(std::vector<Command>& all);
void add_map_look_commands(std::vector<Command>& all);
void add_lesson_commands(std::vector<Command>& all);
void add_help_commands(std::vector<Command>& all);

}  // namespace lanescope::app
