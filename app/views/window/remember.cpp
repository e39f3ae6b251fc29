#include "views/window/remember.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "imgui_internal.h"
#include "views/banks/banks_view.h"
#include "views/exercise/exercise_view.h"
#include "views/map/index_map.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

constexpr const char* kThemes[] = {"dark", "light", "high-contrast"};

// A layout is many lines, and a setting is one.
std::string on_one_line(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\\') {
      result += "\\\\";
    } else {
      result += c;
    }
  }
  return result;
}

std::string on_many_lines(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size();
    if (escaped) ++i;
    result += escaped && text[i] == 'n' ? '\n' : text[i];
  }
  return result;
}

std::optional<float> number(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const float value = std::strtof(copy.c_str(), &end);
  if (end == copy.c_str() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<float> zoom_of(std::string_view text) {
  const std::optional<float> value = number(text);
  if (!value) return std::nullopt;
  return std::clamp(*value, kMinZoom, kMaxZoom);
}

void read_layout(Layouts& layouts, std::string_view value) {
  const std::size_t space = value.find(' ');
  const std::optional<Preset> preset = preset_of(value.substr(0, space));
  if (!preset || space == std::string_view::npos) return;
  layouts.kept[static_cast<std::size_t>(*preset)] = on_many_lines(value.substr(space + 1));
}

void read_before_projector(Layouts& layouts, std::string_view value) {
  const std::size_t space = value.find(' ');
  const std::optional<Preset> preset = preset_of(value.substr(0, space));
  if (!preset || space == std::string_view::npos) return;
  const std::optional<float> zoom = zoom_of(value.substr(space + 1));
  if (zoom) layouts.before_projector = BeforeProjector{*preset, *zoom};
}

bool has_word(std::string_view text, std::string_view word) {
  return (" " + std::string(text) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

void read_map_look(IndexMapState& map, std::string_view value) {
  map.colours = has_word(value, "banks") ? MapColours::banks : MapColours::elements;
  map.overview = has_word(value, "overview");
  map.paths = has_word(value, "paths");
}

std::string map_look(const IndexMapState& map) {
  std::string words = map.colours == MapColours::banks ? "banks" : "elements";
  if (map.overview) words += " overview";
  if (map.paths) words += " paths";
  return words;
}

void read_map_left(IndexMapState& map, std::string_view value) {
  std::istringstream words{std::string(value)};
  MapPlay::Left left;
  std::string how;
  if (!(words >> left.position >> left.warp >> left.step >> how)) return;
  left.whole = how == "whole";
  map.play.left = left;
}

void read_setting(Workspace& workspace, std::string_view name, std::string_view value) {
  if (name == "Theme") {
    if (const auto theme = theme_id_of(value)) workspace.theme_id = *theme;
  } else if (name == "Zoom") {
    if (const auto zoom = zoom_of(value)) workspace.zoom = *zoom;
  } else if (name == "Language") {
    workspace.language = value;
  } else if (name == "Closed") {
    if (find_view(value)) workspace.set_open(value, false);
  } else if (name == "Preset") {
    if (const auto preset = preset_of(value)) workspace.layouts.current = *preset;
    // Whether there is an exercise to lay out is seen later.
    if (workspace.layouts.current == Preset::exercise) workspace.layouts.wanted = Preset::explore;
  } else if (name == "Layout") {
    read_layout(workspace.layouts, value);
  } else if (name == "BeforeProjector") {
    read_before_projector(workspace.layouts, value);
  } else if (name == "Tour") {
    workspace.tour.done = value == "done";
  } else if (name == "Exercise") {
    read_progress_line(value, state_of<ExerciseState>(workspace));
  } else if (name == "Lesson") {
    add_progress(workspace.progress, value);
  } else if (name == "Map") {
    read_map_look(state_of<IndexMapState>(workspace), value);
  } else if (name == "MapLeft") {
    read_map_left(state_of<IndexMapState>(workspace), value);
  } else if (name == "Banks") {
    state_of<BanksState>(workspace).equation = value == "equation";
  } else if (name == "OpenLesson") {
    workspace.progress.open = value;
  }
}

void read_line(ImGuiContext*, ImGuiSettingsHandler* handler, void*, const char* line) {
  const std::string_view text(line);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return;
  read_setting(*static_cast<Workspace*>(handler->UserData), text.substr(0, equals),
               text.substr(equals + 1));
}

void write(ImGuiContext*, ImGuiSettingsHandler* handler, ImGuiTextBuffer* out) {
  Workspace& workspace = *static_cast<Workspace*>(handler->UserData);
  const Layouts& layouts = workspace.layouts;
  out->appendf("[%s][Workspace]\nTheme=%s\nZoom=%.3f\nLanguage=%s\nPreset=%s\n", handler->TypeName,
               theme_name(workspace.theme_id), static_cast<double>(workspace.zoom),
               workspace.language.c_str(), preset_id(layouts.current));
  for (const View& view : views()) {
    if (!workspace.is_open(view.id)) out->appendf("Closed=%s\n", view.id);
  }
  for (std::size_t i = 0; i < kPresets.size(); ++i) {
    if (layouts.kept[i].empty() || i == static_cast<std::size_t>(layouts.current)) continue;
    out->append("Layout=");
    out->append(kPresets[i].id);
    out->append(" ");
    out->append(on_one_line(layouts.kept[i]).c_str());
    out->append("\n");
  }
  if (layouts.before_projector) {
    out->appendf("BeforeProjector=%s %.3f\n", preset_id(layouts.before_projector->preset),
                 static_cast<double>(layouts.before_projector->zoom));
  }
  out->appendf("Map=%s\nBanks=%s\n", map_look(state_of<IndexMapState>(workspace)).c_str(),
               state_of<BanksState>(workspace).equation ? "equation" : "bins");
  if (workspace.tour.done) out->append("Tour=done\n");
  for (const auto& [name, progress] : state_of<ExerciseState>(workspace).progress)
    if (progress != ExerciseProgress{})
      out->appendf("Exercise=%s\n", progress_line(name, progress).c_str());
  for (const auto& [lesson, progress] : workspace.progress.lessons)
    out->appendf("Lesson=%s\n", progress_text(lesson, progress).c_str());
  if (!workspace.progress.open.empty())
    out->appendf("OpenLesson=%s\n", workspace.progress.open.c_str());
  out->append("\n");
}

}  // namespace

std::optional<ThemeId> theme_id_of(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kThemes); ++i) {
    if (name == kThemes[i]) return static_cast<ThemeId>(i);
  }
  return std::nullopt;
}

const char* theme_name(ThemeId id) { return kThemes[static_cast<std::size_t>(id)]; }

std::string moment_text(Workspace& workspace) {
  const IndexMapState& map = state_of<IndexMapState>(workspace);
  if (!map.journey.journey) return "";
  return fmt::format("[Lanescope][Moment]\nMapLeft={} {} {} {}\n\n", map.play.position,
                     map.play.warp, map.play.step, map.zoomed ? "whole" : "block");
}

void remember_workspace(Workspace& workspace) {
  ImGuiSettingsHandler handler;
  handler.TypeName = "Lanescope";
  handler.TypeHash = ImHashStr("Lanescope");
  handler.ReadOpenFn = [](ImGuiContext*, ImGuiSettingsHandler* h, const char*) {
    return h->UserData;
  };
  handler.ReadLineFn = read_line;
  handler.WriteAllFn = write;
  handler.UserData = &workspace;
  ImGui::AddSettingsHandler(&handler);
  // At once, so that what the command line asks for comes after it.
  if (const char* file = ImGui::GetIO().IniFilename) ImGui::LoadIniSettingsFromDisk(file);
}

void stop_remembering() {
  ImGuiIO& io = ImGui::GetIO();
  if (io.IniFilename && ImGui::GetCurrentContext()->SettingsLoaded)
    ImGui::SaveIniSettingsToDisk(io.IniFilename);
  io.IniFilename = nullptr;
  ImGui::RemoveSettingsHandler("Lanescope");
}

}  // namespace lanescope::app
