// The Sweep view in a real frame: it counts by itself, a click opens a setting, undo returns.
#include "views/sweep.h"

#include <gtest/gtest.h>

#include "platform/gui_test.h"
#include "views/frame.h"

namespace lanescope::app {
namespace {

class SweepTest : public testing::Test {
 protected:
  void open(const std::string& kernel, const std::map<std::string, std::string>& parameters = {}) {
    gui = std::make_unique<GuiTest>(SurfaceOptions{.width = 1280, .height = 900});
    if (!gui->error().empty()) GTEST_SKIP() << gui->error();
    workspace = std::make_unique<Workspace>();
    session = std::make_unique<Session>(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"));
    OpenResult opened = open_kernel(session->catalog(), kernel);
    ASSERT_TRUE(opened.settings.has_value()) << kernel;
    opened.settings->parameters.insert(parameters.begin(), parameters.end());
    session->apply(*opened.settings);
    session->wait(true);
    ASSERT_NE(session->picture(), nullptr);
    workspace->only = "sweep";
    frame = std::make_unique<Frame>(Frame{*session, *workspace, gui->fonts()});
    gui->on_draw([this] { frame->draw(); });
    settle();
  }
  void settle() {
    gui->frames(8);
    session->wait(true);
    gui->frames(8);
  }
  void TearDown() override {
    if (gui) gui->on_draw({});
    workspace.reset();
  }
  void click_cell(std::size_t cell) {
    const std::string id = "//###only/**/cell " + std::to_string(cell);
    gui->run([&](ImGuiTestContext& test) { test.ItemClick(id.c_str()); });
    settle();
  }
  [[nodiscard]] const SweepPlan& plan() const { return session->sweep()->plan; }

  std::unique_ptr<GuiTest> gui;
  std::unique_ptr<Session> session;
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<Frame> frame;
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
  EXPECT_EQ(session->picture()->launch.block, (Dim3{8, 8, 1}));
  session->apply(Action(Undo{}));
  session->apply(Action(Undo{}));
  EXPECT_EQ(session->settings(), before) << "each click is one step back";
}

TEST_F(SweepTest, WhatElseChangesIsCountedAnew) {
  open("transpose/04_shared_tile_padded");
  const SweepPtr first = session->sweep();
  session->apply(Action(SetArgument{"nx", "512"}));
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
