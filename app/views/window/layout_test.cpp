#include "views/window/layout.h"

#include <algorithm>

#include "imgui_internal.h"
#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

class LayoutTest : public ViewTest, public testing::WithParamInterface<ImVec2> {};

// However much room there is, every view that is open stands in a node of its preset, and the
// preset's first one is in front.
TEST_P(LayoutTest, EveryOpenViewIsDocked) {
  open_view("", GetParam(), "copy/01_copy", {});
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
    const View& first =
        *std::max_element(views().begin(), views().end(), [&](const View& a, const View& b) {
          return start_of(a, static_cast<Preset>(i)) < start_of(b, static_cast<Preset>(i));
        });
    EXPECT_TRUE(tab_in_front(first.id)) << first.id << " in " << kPresets[i].id;
  }
}

INSTANTIATE_TEST_SUITE_P(Rooms, LayoutTest,
                         testing::Values(ImVec2(1280, 800), ImVec2(1900, 1000), ImVec2(1900, 500),
                                         ImVec2(900, 560)));

}  // namespace
}  // namespace lanescope::app
