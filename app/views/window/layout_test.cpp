#include "views/window/layout.h"

#include <algorithm>
#include <string>
#include <utility>

#include "imgui_internal.h"
#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

// By width and height of the window.
class LayoutTest : public ViewTest, public testing::WithParamInterface<std::pair<int, int>> {};

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

INSTANTIATE_TEST_SUITE_P(Rooms, LayoutTest,
                         testing::Values(std::pair(1280, 800), std::pair(1900, 1000),
                                         std::pair(1900, 500), std::pair(900, 560)),
                         name_of);

}  // namespace
}  // namespace lanescope::app
