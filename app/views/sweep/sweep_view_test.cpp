// The Sweep view in a real frame: it counts by itself, a click opens a setting, undo returns.
#include "views/sweep/sweep_view.h"

#include <gtest/gtest.h>

#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

class SweepTest : public ViewTest {
 protected:
  void open(const std::string& kernel, const Values& parameters = {}) {
    open_view("sweep", {1280, 900}, kernel, parameters);
  }
  void click_cell(std::size_t cell) {
    const std::string id = "//###only/**/cell " + std::to_string(cell);
    gui->run([&](ImGuiTestContext& test) { test.ItemClick(id.c_str()); });
    settle();
  }
  [[nodiscard]] const SweepPlan& plan() const { return session->sweep()->plan; }
};

TEST_F(SweepTest, ItCountsByItselfAndAClickOpensASetting) {
  open("transpose/04_shared_tile_padded", {{"PAD", "0"}});
  const SweepPtr sweep = session->sweep();
  ASSERT_TRUE(sweep && sweep->finished);
  EXPECT_EQ(plan().find(session->settings()), plan().index({3, 0}));
  const SweepScale scale = scale_of(*sweep, SweepMetric::conflicts);
  EXPECT_EQ(plan().label(*scale.best), "BDIMX=32 PAD=1");
  const Settings before = session->settings();
  click_cell(*scale.best);
  EXPECT_EQ(session->settings().parameters.at("PAD"), "1");
  EXPECT_EQ(session->settings().parameters.at("BDIMX"), "32");
  EXPECT_EQ(session->sweep(), sweep) << "one of its cells: nothing to count again";
  click_cell(plan().index({1, 4}));
  EXPECT_EQ(session->settings().parameters.at("BDIMX"), "8");
  EXPECT_EQ(session->picture()->prepared->launch.block, (Dim3{8, 8, 1}));
  session->apply(Action(Undo{}));
  session->apply(Action(Undo{}));
  EXPECT_EQ(session->settings(), before) << "each click is one step back";
}

TEST_F(SweepTest, WhatElseChangesIsCountedAnew) {
  open("transpose/04_shared_tile_padded");
  const SweepPtr first = session->sweep();
  session->apply(Action(SetArgument{"nx", "128"}));
  session->wait(true);
  settle();
  const SweepPtr second = session->sweep();
  ASSERT_NE(first, second);
  EXPECT_EQ(second->computed, second->cells.size());
  EXPECT_LT(second->cells[0].shared.wavefronts, first->cells[0].shared.wavefronts);
  session->apply(Action(Undo{}));
  session->wait(true);
  settle();
  ASSERT_NE(session->sweep(), second);
  EXPECT_EQ(session->sweep()->computed, 0u) << "known already";
  EXPECT_EQ(session->sweep()->cells[0].shared.wavefronts, first->cells[0].shared.wavefronts);
}

TEST_F(SweepTest, AnotherKernelHasItsOwnAxesAndItsTimesAreAtTheirSize) {
  open("transpose/04_shared_tile_padded");
  session->apply(Action(SelectKernel{"transpose/10_coarsened"}));
  session->wait(true);
  settle();
  ASSERT_TRUE(session->sweep());
  EXPECT_EQ(plan().base.name, "transpose/10_coarsened");
  ASSERT_EQ(plan().axes.size(), 3u);
  EXPECT_EQ(plan().axes[0].name, "TILE");
  EXPECT_FALSE(scale_of(*session->sweep(), SweepMetric::time).values > 1);
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/###recorded"); });
  settle();
  EXPECT_GT(scale_of(*session->sweep(), SweepMetric::time).values, 10u);
  EXPECT_EQ(session->settings().arguments.count("nx"), 0u) << "the settings stay as they are";
  click_cell(plan().index({3, 0, 1}));
  EXPECT_EQ(session->settings().arguments.at("nx"), "4096") << "the cell is of this size";
}

TEST_F(SweepTest, ASweepOnItsWayCanBeCancelledAndTakenUpAgain) {
  open("transpose/04_shared_tile_padded");
  SweepPlanResult planned =
      plan_sweep(session->settings(), session->catalog(), {"BDIMX=1..32", "PAD=0..32"});
  ASSERT_TRUE(planned.plan);
  const auto plan = std::make_shared<const SweepPlan>(std::move(*planned.plan));
  session->apply(Action(StartSweep{plan}));
  session->apply(Action(CancelSweep{}));
  session->wait(true);
  ASSERT_TRUE(session->sweep());
  EXPECT_FALSE(session->sweep()->finished);
  EXPECT_FALSE(session->sweep()->running);
  EXPECT_LT(session->sweep()->done, plan->size());
}

}  // namespace
}  // namespace lanescope::app
