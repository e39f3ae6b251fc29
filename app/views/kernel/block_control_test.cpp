// The controls of the Parameters view: chips and the drag of the block, undo, the chooser.
#include "views/kernel/block_control.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "views/frame/view_test.h"
#include "views/kernel/kernel_chooser.h"

namespace lanescope::app {
namespace {

class BlockControlTest : public ViewTest {
 protected:
  void open(const std::string& kernel, const Values& parameters = {}) {
    open_view("parameters", {320, 900}, kernel, parameters);
  }
  [[nodiscard]] std::string value(const std::string& name) const {
    const auto& all = session->settings().parameters;
    const auto found = all.find(name);
    return found == all.end() ? "" : found->second;
  }
};

TEST_F(BlockControlTest, AChipIsAClickAndNoBlockIsTooLarge) {
  open("transpose/05_remapped");  // 32 x 8
  gui->run([&](ImGuiTestContext& test) { test.ItemClick("//###only/BDIMY/16"); });
  settle();
  EXPECT_EQ(value("BDIMY"), "16");
  const FrontMatter& matter = session->picture()->prepared->front_matter;
  for (const TunableParameter& p : matter.parameters) {
    if (!is_block_side(matter, p)) continue;
    const long long most = largest_side(matter, session->settings(), p);
    EXPECT_LE(most * (p.name == "BDIMX" ? 16 : 32), 1024) << p.name;
  }
  gui->run([&](ImGuiTestContext& test) {
    test.ItemDragWithDelta("//###only/BDIMY/##value", {900, 0});
  });
  settle();
  EXPECT_EQ(value("BDIMY"), "32");
  EXPECT_TRUE(session->diagnostics().empty());
}

TEST_F(BlockControlTest, ASquareTileHasItsSideTwice) {
  open("transpose/04_shared_tile_padded");
  const FrontMatter& matter = session->picture()->prepared->front_matter;
  for (const TunableParameter& p : matter.parameters)
    if (p.name == "BDIMX") {
      EXPECT_EQ(largest_side(matter, session->settings(), p), 32);
    }
}

TEST_F(BlockControlTest, OneSlowDragIsOneUndo) {
  open("transpose/05_remapped");
  gui->run([&](ImGuiTestContext& test) {
    test.MouseMove("//###only/PAD/##value");
    test.MouseDown();
    test.Yield(2);
    const ImVec2 at = ImGui::GetMousePos();
    for (int i = 1; i <= 4; ++i) {
      test.MouseMoveToPos({at.x + 12.0f * static_cast<float>(i), at.y});
      test.Yield(2);
      // Longer than what presses of a button may be apart.
      std::this_thread::sleep_for(std::chrono::milliseconds(600));
    }
    test.MouseUp();
    test.Yield(2);
  });
  settle();
  EXPECT_NE(value("PAD"), "");
  session->apply(Action(Undo{}));
  EXPECT_EQ(value("PAD"), "");
  EXPECT_FALSE(session->can_undo());
}

TEST_F(BlockControlTest, TheChooserBeginsWithTransposesAndKeepsAnswersToItself) {
  open("transpose/05_remapped");
  const auto all = offered_kernels(session->catalog());
  EXPECT_EQ(all.front()->family, "transpose");
  EXPECT_EQ(all.back()->family, "broken");
  EXPECT_TRUE(std::is_partitioned(all.begin(), all.end(),
                                  [](const CatalogEntry* e) { return e->family != "broken"; }));
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/##kernel");
    test.Yield(4);
    IM_CHECK(test.ItemExists("//##Combo_00/**/###broken"));
    const char* told =
        "//##Combo_00/**/No barrier between write and read##broken\\/01_missing_barrier";
    IM_CHECK(!test.ItemExists(told));
    test.KeyPress(ImGuiKey_Escape);
  });
}

}  // namespace
}  // namespace lanescope::app
