// The table of all commands.
#include "views/lists/command_list.h"

#include "views/window/workspace.h"

namespace lanescope::app {

void add_help_commands(std::vector<Command>& all) {
  all.push_back({.id = "palette",
                 .menu = Menu::help,
                 .title = "Find a command …",
                 .keys = {kCtrl | ImGuiKey_P},
                 .when = When::typing,
                 .run = [](CommandCall& call) { call.workspace.palette.ask = true; }});
  all.push_back({.id = "help.keys",
                 .menu = Menu::help,
                 .title = "Keys and colours",
                 .keys = {ImGuiKey_F1},
                 .character = '?',
                 .when = When::typing,
                 .run = [](CommandCall& call) { call.workspace.cheat_sheet.ask = true; }});
  all.push_back(
      {.id = "help.terms", .menu = Menu::help, .title = "Terms", .run = [](CommandCall& call) {
         call.workspace.cheat_sheet.ask_terms = true;
       }});
  all.push_back({.id = "help.tour",
                 .menu = Menu::help,
                 .group = 1,
                 .title = "Take the tour",
                 .run = [](CommandCall& call) { start_tour(call.workspace); }});
}

// The order is that of the menus.
const std::vector<Command>& commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> list;
    add_file_commands(list);
    add_kernel_commands(list);
    add_view_commands(list);
    add_map_look_commands(list);
    add_look_commands(list);
    add_layout_commands(list);
    add_go_commands(list);
    add_map_motion_commands(list);
    add_lesson_commands(list);
    add_help_commands(list);
    return list;
  }();
  return all;
}

}  // namespace lanescope::app
