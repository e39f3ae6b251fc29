#include "views/window/layout.h"

#include <algorithm>
#include <string>
#include <utility>

#include "imgui_internal.h"
#include "views/frame/view_test.h"
#include "views/map/index_map.h"

namespace lanescope::app {
namespace {

// By width and height of the window.
class LayoutTest : public ViewTest, public testing::WithParamInterface<std::pair<int, int>> {};

class LectureTest : public LayoutTest {};

std::string name_of(const testing::TestParamInfo<std::pair<int, int>>& room) {
  return std::to_string(room.param.first) + "x" + std::to_string(room.param.second);
}

// The view that is to take the keys in a preset.
const View& first_of(Preset preset) {
  return *std::max_element(views().begin(), views().end(), [preset](const View& a, const View& b) {
    return start_of(a, preset) < start_of(b, preset);
  });
}

// However much room there is, every view that is open stands in a node of its preset, and the
// preset's first one is in front.
TEST_P(LayoutTest, EveryOpenViewIsDocked) {
  const auto [width, height] = GetParam();
  open_view("", {static_cast<float>(width), static_cast<float>(height)}, "copy/01_copy", {});
  for (std::size_t i = 0; i < kPresetCount && gui->error().empty(); ++i) {
    workspace->layouts.wanted = static_cast<Preset>(i);
    gui->frames(8);
    for (const View& view : views()) {
      const bool open = workspace->is_open(view.id);
      EXPECT_EQ(open, start_of(view, static_cast<Preset>(i)) != kClosed) << view.id;
      if (!open) continue;
      const ImGuiWindow* window = ImGui::FindWindowByName((std::string("###") + view.id).c_str());
      ASSERT_NE(window, nullptr) << view.id;
      ASSERT_NE(window->DockNode, nullptr) << view.id << " floats in " << kPresets[i].id;
      EXPECT_TRUE(window->DockNode->IsLeafNode() && !window->DockNode->IsFloatingNode())
          << view.id << " in " << kPresets[i].id;
    }
    EXPECT_TRUE(tab_in_front(first_of(static_cast<Preset>(i)).id)) << kPresets[i].id;
  }
}

// In a lecture the index map comes before all else, whatever the screen and the size of type.
TEST_P(LectureTest, TheIndexMapFillsALecture) {
  const auto [width, height] = GetParam();
  for (const char* preset : {"lecture", "projector"}) {
    for (const float zoom : {1.0f, 1.25f, 1.5f, 2.0f, 2.5f, 3.0f}) {
      if (!gui)
        open_view("", {static_cast<float>(width), static_cast<float>(height)},
                  "transpose/04_shared_tile_padded", {});
      if (!gui->error().empty()) return;
      workspace->zoom = zoom;
      workspace->styled = false;
      workspace->layouts.current = *preset_of(preset);
      workspace->reset_layout = true;
      gui->frames(10);
      const ImGuiWindow* map = ImGui::FindWindowByName("###index_map");
      ASSERT_TRUE(map && map->DockNode);
      EXPECT_TRUE(tab_in_front("index_map"));
      const float area = map->Size.x * map->Size.y;
      EXPECT_GE(area, 0.6f * static_cast<float>(width) * static_cast<float>(height))
          << preset << " ×" << zoom;
      const auto& state = state_of<IndexMapState>(*workspace);
      EXPECT_GE(state.cell, 14) << preset << " ×" << zoom;
      EXPECT_GE(state.picture_max.y - state.picture_min.y, 0.5f * map->Size.y)
          << "buttons and words leave the picture its room: " << preset << " ×" << zoom;
    }
  }
}

// Three rows of views in such a window would show no cell of the map.
TEST_P(LectureTest, TypeOfThreeTimesItsSizeLeavesTheMapItsCells) {
  const auto [width, height] = GetParam();
  open_view("", {static_cast<float>(width), static_cast<float>(height)}, "transpose/05_remapped",
            {});
  if (IsSkipped()) return;
  workspace->zoom = 3;
  workspace->styled = false;
  workspace->layouts.current = Preset::explore;
  workspace->reset_layout = true;
  gui->frames(10);
  EXPECT_TRUE(tab_in_front("index_map"));
  const auto& state = state_of<IndexMapState>(*workspace);
  EXPECT_GE(state.cell, 14);
  EXPECT_GE(state.picture_max.y - state.picture_min.y, 5 * state.cell);
}

INSTANTIATE_TEST_SUITE_P(Halls, LectureTest,
                         testing::Values(std::pair(1280, 720), std::pair(1280, 800),
                                         std::pair(1920, 1080)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Rooms, LayoutTest,
                         testing::Values(std::pair(1280, 800), std::pair(1900, 1000),
                                         std::pair(1900, 500), std::pair(900, 560)),
                         name_of);

}  // namespace
}  // namespace lanescope::app
