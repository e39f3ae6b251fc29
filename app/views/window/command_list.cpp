// The list of all commands.
#include <algorithm>
#include <cmath>

#include "imgui_internal.h"
#include "views/command/commands.h"
#include "views/draw/tr.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift;

void restyle(CommandCall& call) {
  call.workspace.styled = false;
  ImGui::MarkIniSettingsDirty();
}

template <class A>
auto ask(A action) {
  return [action](CommandCall& call) { call.actions.push_back(action); };
}

bool has_files(const CommandCall& call) { return call.workspace.files.status != nullptr; }
bool has_track(const CommandCall& call) { return call.view.focus.track != nullptr; }

Command step(const char* id, const char* title, int group, std::vector<ImGuiKeyChord> keys,
             StepMove move) {
  return {.id = id,
          .menu = Menu::go,
          .group = group,
          .title = title,
          .keys = std::move(keys),
          .repeats = true,
          .run = ask(MoveStep{move}),
          .enabled = has_track};
}

void add_file(std::vector<Command>& all) {
  const auto dialog = [](FileDialog which) {
    return [which](CommandCall& call) { call.workspace.files.ask = which; };
  };
  all.push_back({.id = "file.open",
                 .menu = Menu::file,
                 .title = "Open …",
                 .keys = {kCtrl | ImGuiKey_O},
                 .when = When::typing,
                 .run = dialog(FileDialog::open),
                 .enabled = has_files});
  all.push_back({.id = "file.save",
                 .menu = Menu::file,
                 .group = 1,
                 .title = "Save",
                 .keys = {kCtrl | ImGuiKey_S},
                 .when = When::typing,
                 .run = ask(FileAction(SaveFile{})),
                 .enabled = has_files});
  all.push_back({.id = "file.save_as",
                 .menu = Menu::file,
                 .group = 1,
                 .title = "Save as …",
                 .keys = {kCtrl | kShift | ImGuiKey_S},
                 .when = When::typing,
                 .run = dialog(FileDialog::save_as),
                 .enabled = has_files});
  all.push_back({.id = "file.export",
                 .menu = Menu::file,
                 .group = 2,
                 .title = "Export …",
                 .keys = {kCtrl | ImGuiKey_E},
                 .when = When::typing,
                 .run = dialog(FileDialog::export_view),
                 .enabled = has_files});
  const auto source = [](bool SourceState::*wish) {
    return [wish](CommandCall& call) {
      call.workspace.source.*wish = true;
      call.workspace.open[0] = true;
    };
  };
  all.push_back({.id = "source.find",
                 .menu = Menu::file,
                 .group = 3,
                 .title = "Find and replace",
                 .keys = {kCtrl | ImGuiKey_F},
                 .run = source(&SourceState::find)});
  all.push_back({.id = "source.go_to_line",
                 .menu = Menu::file,
                 .group = 3,
                 .title = "Go to line …",
                 .keys = {kCtrl | kShift | ImGuiKey_G},
                 .when = When::typing,
                 .run = source(&SourceState::ask_line)});
  all.push_back({.id = "quit",
                 .menu = Menu::file,
                 .group = 9,
                 .title = "Quit",
                 .keys = {kCtrl | ImGuiKey_Q},
                 .when = When::always,
                 .run = ask(FileAction(Quit{}))});
}

void add_kernel(std::vector<Command>& all) {
  all.push_back({.id = "undo",
                 .menu = Menu::kernel,
                 .title = "Undo",
                 .keys = {kCtrl | ImGuiKey_Z},
                 .repeats = true,
                 .run = ask(Undo{}),
                 .enabled = [](const CommandCall& call) { return call.view.can_undo; }});
  all.push_back({.id = "redo",
                 .menu = Menu::kernel,
                 .title = "Redo",
                 .keys = {kCtrl | ImGuiKey_Y, kCtrl | kShift | ImGuiKey_Z},
                 .repeats = true,
                 .run = ask(Redo{}),
                 .enabled = [](const CommandCall& call) { return call.view.can_redo; }});
}

void add_views(std::vector<Command>& all) {
  for (std::size_t i = 0; i < kViews.size(); ++i) {
    all.push_back({.id = std::string("view.") + kViews[i].id,
                   .menu = Menu::view,
                   .title = kViews[i].title,
                   .run =
                       [i](CommandCall& call) {
                         call.workspace.open[i] = !call.workspace.open[i];
                         ImGui::MarkIniSettingsDirty();
                       },
                   .checked = [i](const CommandCall& call) { return call.workspace.open[i]; }});
  }
  all.push_back(
      {.id = "map.paths",
       .menu = Menu::view,
       .group = 1,
       .title = "Every lane's path",
       .run =
           [](CommandCall& call) {
             call.workspace.index_map.paths = !call.workspace.index_map.paths;
           },
       .checked = [](const CommandCall& call) { return call.workspace.index_map.paths; }});
}

void zoom_by(CommandCall& call, float factor) {
  // To the nearest 5 %, so that larger and smaller undo each other.
  const float wanted = std::round(call.workspace.zoom * factor * 20) / 20;
  call.workspace.zoom = std::clamp(wanted, kMinZoom, kMaxZoom);
  restyle(call);
}

void add_zoom(std::vector<Command>& all) {
  all.push_back({.id = "size.larger",
                 .menu = Menu::view,
                 .group = 2,
                 .title = "Larger",
                 .submenu = "Size",
                 .keys = {kCtrl | ImGuiKey_Equal, kCtrl | kShift | ImGuiKey_Equal,
                          kCtrl | ImGuiKey_KeypadAdd},
                 .when = When::typing,
                 .repeats = true,
                 .run = [](CommandCall& call) { zoom_by(call, 1.1f); }});
  all.push_back({.id = "size.smaller",
                 .menu = Menu::view,
                 .group = 2,
                 .title = "Smaller",
                 .submenu = "Size",
                 .keys = {kCtrl | ImGuiKey_Minus, kCtrl | ImGuiKey_KeypadSubtract},
                 .when = When::typing,
                 .repeats = true,
                 .run = [](CommandCall& call) { zoom_by(call, 1 / 1.1f); }});
  all.push_back({.id = "size.normal",
                 .menu = Menu::view,
                 .group = 2,
                 .title = "As the display has it",
                 .submenu = "Size",
                 .keys = {kCtrl | ImGuiKey_0, kCtrl | ImGuiKey_Keypad0},
                 .when = When::typing,
                 .run = [](CommandCall& call) { call.workspace.zoom = 1, restyle(call); }});
}

void add_look(std::vector<Command>& all) {
  static constexpr std::pair<ThemeId, const char*> kThemes[] = {
      {ThemeId::dark, "Dark"},
      {ThemeId::light, "Light"},
      {ThemeId::high_contrast, "High contrast"}};
  for (const auto& [theme, title] : kThemes) {
    all.push_back(
        {.id = std::string("theme.") + theme_name(theme),
         .menu = Menu::view,
         .group = 2,
         .title = title,
         .run = [theme](CommandCall& call) { call.workspace.theme_id = theme, restyle(call); },
         .checked = [theme](const CommandCall& call) { return call.workspace.theme_id == theme; }});
  }
  add_zoom(all);
  static constexpr std::pair<int, const char*> kSizes[] = {
      {50, "50 %"},   {80, "80 %"},   {100, "100 %"}, {125, "125 %"},
      {150, "150 %"}, {200, "200 %"}, {250, "250 %"}, {300, "300 %"}};
  for (const auto& [percent, title] : kSizes) {
    const float zoom = static_cast<float>(percent) / 100;
    all.push_back({.id = "size." + std::to_string(percent),
                   .menu = Menu::view,
                   .group = 2,
                   .title = title,
                   .submenu = "Size",
                   .run = [zoom](CommandCall& call) { call.workspace.zoom = zoom, restyle(call); },
                   .checked =
                       [zoom](const CommandCall& call) {
                         return std::abs(call.workspace.zoom - zoom) < 0.01f;
                       }});
  }
  static constexpr std::pair<const char*, const char*> kLanguages[] = {{"en", "English"},
                                                                       {"zh", "中文"}};
  for (const auto& [id, name] : kLanguages) {
    const std::string language = id;
    all.push_back(
        {.id = "language." + language,
         .menu = Menu::view,
         .group = 2,
         .title = name,
         .submenu = "Language",
         .run =
             [language](CommandCall& call) { call.workspace.language = language, restyle(call); },
         .checked =
             [language](const CommandCall& call) { return call.workspace.language == language; }});
  }
}

void add_layout(std::vector<Command>& all) {
  static constexpr ImGuiKey kDigits[] = {ImGuiKey_1, ImGuiKey_2, ImGuiKey_3};
  for (std::size_t i = 0; i < std::size(kDigits); ++i) {
    const auto preset = static_cast<Preset>(i);
    all.push_back({.id = std::string("layout.") + kPresets[i].id,
                   .menu = Menu::view,
                   .group = 8,
                   .title = kPresets[i].title,
                   .keys = {kCtrl | kDigits[i]},
                   .when = When::typing,
                   .run = [preset](CommandCall& call) { choose_preset(call.workspace, preset); },
                   .checked =
                       [preset](const CommandCall& call) {
                         return call.workspace.layouts.current == preset;
                       }});
  }
  all.push_back({.id = "layout.projector",
                 .menu = Menu::view,
                 .group = 8,
                 .title = "Projector mode",
                 .keys = {ImGuiKey_F11},
                 .when = When::typing,
                 .run = [](CommandCall& call) { toggle_projector(call.workspace); },
                 .checked =
                     [](const CommandCall& call) {
                       return call.workspace.layouts.before_projector.has_value();
                     }});
  all.push_back(
      {.id = "full_screen",
       .menu = Menu::view,
       .group = 8,
       .title = "Full screen",
       .keys = {kShift | ImGuiKey_F11},
       .when = When::typing,
       .run = [](CommandCall& call) { call.workspace.full_screen = !call.workspace.full_screen; },
       .checked = [](const CommandCall& call) { return call.workspace.full_screen; }});
  all.push_back({.id = "layout.reset",
                 .menu = Menu::view,
                 .group = 9,
                 .title = "Reset layout",
                 .run = [](CommandCall& call) { call.workspace.reset_layout = true; }});
}

void add_go(std::vector<Command>& all) {
  all.push_back(step("step.forward", "Step forward", 0, {ImGuiKey_RightArrow}, StepMove::forward));
  all.push_back(step("step.back", "Step back", 0, {ImGuiKey_LeftArrow}, StepMove::back));
  all.push_back(step("step.next_access", "Next access", 0,
                     {ImGuiKey_DownArrow, kShift | ImGuiKey_RightArrow}, StepMove::next_access));
  all.push_back(step("step.previous_access", "Previous access", 0,
                     {ImGuiKey_UpArrow, kShift | ImGuiKey_LeftArrow}, StepMove::previous_access));
  all.push_back(step("step.next_line", "Next line", 0, {ImGuiKey_N}, StepMove::next_line));
  all.push_back(
      step("step.previous_line", "Previous line", 0, {ImGuiKey_P}, StepMove::previous_line));
  all.push_back(step("step.next_barrier", "Next barrier", 0, {ImGuiKey_B}, StepMove::next_barrier));
  all.push_back(step("step.previous_barrier", "Previous barrier", 0, {kShift | ImGuiKey_B},
                     StepMove::previous_barrier));
  all.push_back(step("step.first", "First step", 0, {ImGuiKey_Home}, StepMove::first));
  all.push_back(step("step.last", "Last step", 0, {ImGuiKey_End}, StepMove::last));
  all.push_back(
      {.id = "play",
       .menu = Menu::go,
       .group = 1,
       .title = "Play or pause",
       .keys = {ImGuiKey_Space},
       .run =
           [](CommandCall& call) {
             TimelineState& timeline = call.workspace.timeline;
             timeline.playing = !timeline.playing;
             timeline.next_at = ImGui::GetTime();
           },
       .enabled = has_track,
       .checked = [](const CommandCall& call) { return call.workspace.timeline.playing; }});
  all.push_back(
      {.id = "warp.next",
       .menu = Menu::go,
       .group = 2,
       .title = "Next warp",
       .keys = {ImGuiKey_RightBracket},
       .repeats = true,
       .run =
           [](CommandCall& call) { call.actions.push_back(SelectWarp{call.view.focus.warp + 1}); },
       .enabled =
           [](const CommandCall& call) {
             return call.view.focus.trace &&
                    call.view.focus.warp + 1 < call.view.focus.trace->warps.size();
           }});
  all.push_back(
      {.id = "warp.previous",
       .menu = Menu::go,
       .group = 2,
       .title = "Previous warp",
       .keys = {ImGuiKey_LeftBracket},
       .repeats = true,
       .run =
           [](CommandCall& call) { call.actions.push_back(SelectWarp{call.view.focus.warp - 1}); },
       .enabled = [](const CommandCall& call) { return call.view.focus.warp > 0; }});
  all.push_back({.id = "lane.release",
                 .menu = Menu::go,
                 .group = 2,
                 .title = "Let go of the lane",
                 .keys = {ImGuiKey_Escape},
                 .run = [](CommandCall& call) {
                   call.actions.push_back(SelectLane{-1});
                   call.actions.push_back(SelectCell{});
                 }});
}

void add_help(std::vector<Command>& all) {
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

}  // namespace

// The order is that of the menus.
const std::vector<Command>& commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> list;
    add_file(list);
    add_kernel(list);
    add_views(list);
    add_look(list);
    add_layout(list);
    add_go(list);
    add_help(list);
    return list;
  }();
  return all;
}

}  // namespace lanescope::app
