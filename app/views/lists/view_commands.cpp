// Commands of the menu View: which views, how they look, how they are arranged.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "imgui_internal.h"
#include "views/lists/command_list.h"
#include "views/map/index_map.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

void restyle(CommandCall& call) {
  call.workspace.styled = false;
  ImGui::MarkIniSettingsDirty();
}

void add_themes(std::vector<Command>& all) {
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

void add_sizes(std::vector<Command>& all) {
  static constexpr std::pair<int, const char*> kSizes[] = {
      {50, "50 %"},   {80, "80 %"},   {100, "100 %"}, {125, "125 %"},
      {150, "150 %"}, {200, "200 %"}, {250, "250 %"}, {300, "300 %"}};
  for (const auto& [percent, title] : kSizes) {
    const float zoom = static_cast<float>(percent) / 100;
    all.push_back({.id = fmt::format("size.{}", percent),
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
}

void add_languages(std::vector<Command>& all) {
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

Command layout(Preset preset, const char* title, std::vector<ImGuiKeyChord> keys) {
  return {
      .id = std::string("layout.") + preset_id(preset),
      .menu = Menu::view,
      .group = 8,
      .title = title,
      .keys = std::move(keys),
      .when = When::typing,
      .run = [preset](CommandCall& call) { choose_preset(call.workspace, preset); },
      .checked =
          [preset](const CommandCall& call) { return call.workspace.layouts.current == preset; }};
}

}  // namespace

void add_view_commands(std::vector<Command>& all) {
  for (const View& view : views()) {
    all.push_back({.id = std::string("view.") + view.id,
                   .menu = Menu::view,
                   .title = view.title,
                   .run =
                       [id = view.id](CommandCall& call) {
                         call.workspace.set_open(id, !call.workspace.is_open(id));
                         ImGui::MarkIniSettingsDirty();
                       },
                   .checked = [id = view.id](
                                  const CommandCall& call) { return call.workspace.is_open(id); }});
  }
  all.push_back(
      {.id = "map.paths",
       .menu = Menu::view,
       .group = 1,
       .title = "Every lane's path",
       .run =
           [](CommandCall& call) {
             auto& map = state_of<IndexMapState>(call.workspace);
             map.paths = !map.paths;
           },
       .checked =
           [](const CommandCall& call) { return state_of<IndexMapState>(call.workspace).paths; }});
}

void add_look_commands(std::vector<Command>& all) {
  add_themes(all);
  add_zoom(all);
  add_sizes(all);
  add_languages(all);
}

void add_layout_commands(std::vector<Command>& all) {
  static constexpr ImGuiKey kDigits[] = {ImGuiKey_1, ImGuiKey_2, ImGuiKey_3};
  for (std::size_t i = 0; i < std::size(kDigits); ++i)
    all.push_back(layout(static_cast<Preset>(i), kPresets[i].title, {kCtrl | kDigits[i]}));
  Command exercise = layout(Preset::exercise, "Layout for an exercise", {});
  exercise.enabled = [](const CommandCall& call) { return call.view.lab.exercise != nullptr; };
  all.push_back(std::move(exercise));
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

}  // namespace lanescope::app
