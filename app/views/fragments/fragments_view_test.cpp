// The Fragments view: what is pointed at lights up everywhere, keys move it, D shows its sum.
#include "views/fragments/fragments_view.h"

#include <gtest/gtest.h>

#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

using Kind = FragmentSpot::Kind;

class FragmentsTest : public ViewTest {
 protected:
  void open(ImVec2 size = {1280, 800}, const std::string& kernel = "transpose/03_shared_tile") {
    open_view("fragments", size, kernel, {});
    if (gui->error().empty()) state = &state_of<FragmentsState>(*workspace);
  }
  // The same slots in all matrices that are not faint.
  [[nodiscard]] int count(FragmentGlow glow) const {
    int found = 0;
    for (int panel = 0; panel < static_cast<int>(state->panels.size()); ++panel) {
      const FragmentPanel& of = state->panels[static_cast<std::size_t>(panel)];
      for (int lane = 0; lane < kLanes; ++lane)
        for (int reg = 0; reg < of.registers(); ++reg)
          for (int part = 0; part < of.parts(); ++part)
            found += glow_of(*state, panel, {lane, reg, part}) == glow;
    }
    return found;
  }
  FragmentsState* state = nullptr;
};

TEST_F(FragmentsTest, ALaneLightsUpAllItsElementsAndArrowsMoveIt) {
  open();
  EXPECT_EQ(instruction_name(state->shown), "mma m16n8k16 f32.f16.f16.f32");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/**/lane 5");
    IM_CHECK(state->pinned.kind == Kind::lane);
    IM_CHECK_EQ(state->pinned.slot.lane, 5);
    test.MouseMoveToPos({4, 4});
    test.KeyPress(ImGuiKey_DownArrow);
    test.KeyPress(ImGuiKey_RightArrow);
  });
  EXPECT_EQ(state->pinned.slot.lane, 10);
  EXPECT_EQ(count(FragmentGlow::lit), 8 + 4 + 4);
  EXPECT_TRUE(workspace->lit.shows("fragments", 10));
  EXPECT_EQ(session->selection().lane, 5);
}

TEST_F(FragmentsTest, ARegisterIsTheSameOneOfAllLanes) {
  open();
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/**/register a2");
    test.MouseMoveToPos({4, 4});
  });
  gui->frames(2);
  EXPECT_EQ(state->pinned, (FragmentSpot{Kind::reg, 0, {0, 2, 0}}));
  EXPECT_EQ(count(FragmentGlow::lit), 64);
}

TEST_F(FragmentsTest, AnElementOfDLightsUpWhatItIsMadeOf) {
  open();
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/**/$$2/matrix");
    test.MouseMoveToPos({4, 4});
  });
  gui->frames(2);
  ASSERT_EQ(state->pinned.kind, Kind::element);
  EXPECT_EQ(state->pinned.panel, 2);
  EXPECT_EQ(count(FragmentGlow::lit), 1);
  const int same = count(FragmentGlow::same_lane);
  EXPECT_EQ(same, 8 + 4 + 4 - 1);
  // A row of A and a column of B, but for what the lane itself holds of them.
  EXPECT_EQ(count(FragmentGlow::related),
            16 - 4 + 16 -
                (state->pinned.slot.lane / 4 == state->panels[2].element(state->pinned.slot).column
                     ? 4
                     : 0));
  const FragmentSlot before = state->pinned.slot;
  const MatrixElement at = state->panels[2].element(before);
  gui->run([&](ImGuiTestContext& test) { test.KeyPress(ImGuiKey_UpArrow); });
  EXPECT_EQ(state->panels[2].element(state->pinned.slot), (MatrixElement{at.row - 1, at.column}));
}

TEST_F(FragmentsTest, ArrowsOfAPinnedElementDoNotStepTheKernel) {
  open();
  const std::size_t step = session->selection().step;
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/**/lane 5");
    test.KeyPress(ImGuiKey_RightArrow);
    test.ItemClick("//###only/**/lane 6");  // lets go
    IM_CHECK(state->pinned.kind == Kind::none);
  });
  EXPECT_EQ(session->selection().step, step);
}

TEST_F(FragmentsTest, EveryInstructionCanBeDrawnAtEverySize) {
  for (const ImVec2 size : {ImVec2{1280, 800}, ImVec2{520, 340}, ImVec2{300, 200}}) {
    open(size);
    for (const MatrixInstruction& instruction : known_instructions())
      for (const bool by_register : {false, true}) {
        state->chosen = instruction;
        state->by_register = by_register;
        state->pinned = {};
        gui->frames(1);
        const int panel = static_cast<int>(state->panels.size()) - 1;
        state->pinned = {Kind::element, panel, {7, 0, 0}};
        gui->frames(2);
        EXPECT_EQ(state->shown, instruction);
        EXPECT_EQ(count(FragmentGlow::lit), 1) << instruction_name(instruction);
      }
    TearDown();
    gui.reset();
  }
}

TEST_F(FragmentsTest, WhatAKernelExecutesIsShownAndFollowed) {
  open({1280, 800}, "gemm/21_mma");
  ASSERT_TRUE(state->step);
  EXPECT_TRUE(state->held.recorded);
  const std::size_t end = session->picture()->trace()->warps[0].size();
  const auto last = nearest_matrix_step(*session->picture(), 0, end);
  ASSERT_TRUE(last);
  session->apply(Action(SelectStep{*last}));
  gui->frames(3);
  EXPECT_EQ(state->step, last);
  EXPECT_EQ(instruction_name(state->shown), "mma m16n8k16 f32.f16.f16.f32");
  state->chosen = MatrixInstruction{.operation = MatrixOperation::load, .form = {}};
  gui->frames(2);
  EXPECT_FALSE(state->step);  // for study
  EXPECT_FALSE(state->held.recorded);
}

TEST_F(FragmentsTest, AGroupsProductShowsWhatItHeldAndHowASumComesAbout) {
  open({1280, 800}, "gemm/25_wgmma");
  ASSERT_TRUE(state->step);
  ASSERT_TRUE(state->group);
  ASSERT_EQ(state->panels.size(), 1u);  // A and B lie in shared memory
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/**/###values");
    test.ItemClick("//###only/**/$$0/matrix");
    test.MouseMoveToPos({4, 4});
  });
  gui->frames(2);
  EXPECT_TRUE(state->values);
  ASSERT_EQ(state->pinned.kind, Kind::element);
  EXPECT_TRUE(shows_sum(*state));
  const FragmentPanel& d = state->panels.front();
  EXPECT_EQ(d.registers(),
            static_cast<int>(state->held.d.size()) * d.columns() / state->shown.form.shape.n);
}

TEST_F(FragmentsTest, TheTextsOwnInstructionIsShownFirst) {
  open();
  Settings settings = session->settings();
  settings.text += "\n// mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32\n";
  session->apply(settings);
  settle();
  EXPECT_EQ(instruction_name(state->shown), "mma m16n8k8 f32.tf32.tf32.f32");
}

}  // namespace
}  // namespace lanescope::app
