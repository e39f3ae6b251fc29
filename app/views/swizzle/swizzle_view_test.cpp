// The Swizzle view: recorded tiles and typed formulas, and the swizzles that would help.
#include "views/swizzle/swizzle_view.h"

#include <gtest/gtest.h>

#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

class SwizzleTest : public ViewTest {
 protected:
  void open(const std::string& kernel, ImVec2 size = {1280, 800}) {
    open_view("swizzle", size, kernel, {});
    if (gui->error().empty()) state = &state_of<SwizzleState>(*workspace);
  }
  SwizzleState* state = nullptr;
};

TEST_F(SwizzleTest, ARecordedTileIsNamed) {
  open("transpose/11_swizzle");
  ASSERT_FALSE(state->made.by_formula);
  ASSERT_TRUE(state->layout);
  EXPECT_EQ(state->layout->swizzle, (Swizzle{5, 0, 5}));
  EXPECT_TRUE(state->cost[static_cast<std::size_t>(TileRead::columns)].is_free());
}

TEST_F(SwizzleTest, WhatIsPointedAtLightsUpWithWhatIsReadTogether) {
  open("transpose/11_swizzle");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/**/matrix");
    IM_CHECK(state->pinned.has_value());
    const TileElement first = *state->pinned;
    test.ItemClick("//###only/**/memory");
    IM_CHECK(state->pinned.has_value());
    // The middle of memory is the middle of the tile: an XOR stays in its row.
    IM_CHECK_EQ(state->pinned->row, first.row);
  });
}

TEST_F(SwizzleTest, AnotherSwizzleIsShownInstead) {
  open("transpose/03_shared_tile");
  ASSERT_TRUE(state->layout);
  EXPECT_EQ(state->layout->swizzle, Swizzle{});
  EXPECT_FALSE(state->cost[static_cast<std::size_t>(TileRead::columns)].is_free());
  const Swizzle best = state->tried.front().swizzle;
  EXPECT_GT(best.bits, 0);
  gui->run(
      [&](ImGuiTestContext& test) { test.ItemClick(("//###only/**/###" + best.name()).c_str()); });
  EXPECT_EQ(state->instead, best);
}

TEST_F(SwizzleTest, AFormulaIsTypedAndItsErrorTold) {
  open("transpose/01_naive_row");
  EXPECT_TRUE(state->made.by_formula);  // nothing is in shared memory
  ASSERT_TRUE(state->layout);
  EXPECT_EQ(state->layout->swizzle, (Swizzle{3, 3, 3}));
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/##formula");
    test.KeyCharsReplace("row*64 + col");
  });
  gui->frames(3);
  ASSERT_TRUE(state->layout);
  EXPECT_EQ(state->layout->swizzle, Swizzle{});
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/##formula");
    test.KeyCharsReplace("row*64 + x");
  });
  gui->frames(3);
  EXPECT_EQ(state->from_formula.wrong_at, 9u);
  EXPECT_FALSE(state->tile);
}

TEST_F(SwizzleTest, IsDrawnAtEverySize) {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{520, 340}, ImVec2{260, 180}})
    for (const int columns : {8, 64, 256}) {
      open("transpose/11_swizzle", size);
      state->by_formula = true;
      state->formula = {usual_formula(columns, 2), 64, columns, 2};
      gui->frames(3);
      state->pinned = TileElement{9, 5};
      gui->frames(2);
      EXPECT_TRUE(state->tile.has_value());
      TearDown();
      gui.reset();
    }
}

}  // namespace
}  // namespace lanescope::app
