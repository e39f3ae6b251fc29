// Commands of the index map: its animation, its colours, drawing on it.
#include "views/lists/command_list.h"
#include "views/map/index_map.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

IndexMapState& map_of(const CommandCall& call) { return state_of<IndexMapState>(call.workspace); }

bool has_journey(const CommandCall& call) {
  return call.view.picture && map_of(call).journey.journey != nullptr;
}

Command motion(const char* id, const char* title, std::vector<ImGuiKeyChord> keys,
               void (*run)(IndexMapState&)) {
  return {.id = id,
          .menu = Menu::go,
          .group = 3,
          .title = title,
          .submenu = "Index map",
          .keys = std::move(keys),
          .repeats = true,
          .run = [run](CommandCall& call) { run(map_of(call)); },
          .enabled = has_journey};
}

Command look(const char* id, const char* title, ImGuiKeyChord key, void (*run)(IndexMapState&),
             bool (*is_on)(const IndexMapState&)) {
  return {.id = id,
          .menu = Menu::view,
          .group = 1,
          .title = title,
          .submenu = "Index map",
          .keys = {key},
          .run = [run](CommandCall& call) { run(map_of(call)); },
          .checked = [is_on](const CommandCall& call) { return is_on(map_of(call)); }};
}

void use(MapPen& pen, MapPen::Tool tool) {
  pen.tool = pen.tool == tool ? MapPen::Tool::none : tool;
}

}  // namespace

void add_map_motion_commands(std::vector<Command>& all) {
  all.push_back(motion("map.play", "Play the journey", {ImGuiKey_M},
                       [](IndexMapState& map) { play_map(map, !map.play.playing); }));
  all.push_back(motion("map.forward", "Next move", {ImGuiKey_Period},
                       [](IndexMapState& map) { step_map(map, 1); }));
  all.push_back(motion("map.back", "Previous move", {ImGuiKey_Comma},
                       [](IndexMapState& map) { step_map(map, -1); }));
  all.push_back(motion("map.next_stage", "Next stage", {kShift | ImGuiKey_Period},
                       [](IndexMapState& map) { step_map_stage(map, 1); }));
  all.push_back(motion("map.previous_stage", "Previous stage", {kShift | ImGuiKey_Comma},
                       [](IndexMapState& map) { step_map_stage(map, -1); }));
}

void add_map_look_commands(std::vector<Command>& all) {
  all.push_back(look(
      "map.colours", "Bank colours", ImGuiKey_C,
      [](IndexMapState& map) {
        map.colours = map.colours == MapColours::banks ? MapColours::elements : MapColours::banks;
      },
      [](const IndexMapState& map) { return map.colours == MapColours::banks; }));
  all.push_back(look(
      "map.overview", "All of the block, however small", ImGuiKey_V,
      [](IndexMapState& map) { map.overview = !map.overview; },
      [](const IndexMapState& map) { return map.overview; }));
  all.push_back(look(
      "map.pen", "Pen", ImGuiKey_D, [](IndexMapState& map) { use(map.pen, MapPen::Tool::pen); },
      [](const IndexMapState& map) { return map.pen.tool == MapPen::Tool::pen; }));
  all.push_back(look(
      "map.eraser", "Eraser", ImGuiKey_E,
      [](IndexMapState& map) { use(map.pen, MapPen::Tool::eraser); },
      [](const IndexMapState& map) { return map.pen.tool == MapPen::Tool::eraser; }));
  all.push_back(look(
      "map.wipe", "Wipe the drawing", kShift | ImGuiKey_E,
      [](IndexMapState& map) { clear_map_pen(map.pen); },
      [](const IndexMapState&) { return false; }));
  all.push_back(look(
      "map.spotlight", "Spotlight", ImGuiKey_L,
      [](IndexMapState& map) { map.pen.spotlight = !map.pen.spotlight; },
      [](const IndexMapState& map) { return map.pen.spotlight; }));
  all.push_back(look(
      "map.freeze", "Freeze", ImGuiKey_K,
      [](IndexMapState& map) { map.pen.frozen = !map.pen.frozen; },
      [](const IndexMapState& map) { return map.pen.frozen; }));
}

}  // namespace lanescope::app
