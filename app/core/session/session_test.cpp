#include "core/session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/kernel/kernel_testing.h"
#include "core/run/totals.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

Catalog two_kernels() {
  Catalog catalog;
  for (const char* name : {"a/01_tile", "b/01_other"}) {
    CatalogEntry entry;
    entry.name = name;
    entry.file = std::string(name) + ".cu";
    entry.text = kTranspose;
    entry.front_matter = *parse_front_matter(entry.file, entry.text).front_matter;
    catalog.entries.push_back(std::move(entry));
  }
  return catalog;
}

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() : session_(two_kernels(), [this] { ++wakes_; }) {}
  void open(bool whole = true) {
    session_.apply(SelectKernel{"a/01_tile"});
    session_.wait(whole);
    ASSERT_TRUE(session_.picture()) << messages(session_.diagnostics());
  }
  std::atomic<int> wakes_{0};
  Session session_;
  std::uint32_t selected_line() const {
    return session_.picture()
        ->kernel()
        .accesses.at(static_cast<std::size_t>(session_.selection().access))
        .pos.line;
  }
  StepKind kind_here() const {
    const Picture& picture = *session_.picture();
    const WarpTrack& track = picture.trace()->warps[session_.selection().warp];
    return picture.kernel().ops[track.op[session_.selection().step]].kind;
  }
};

TEST_F(SessionTest, FirstTheBlockThenTheWholeGrid) {
  open(false);
  PicturePtr first = session_.picture();
  EXPECT_EQ(first->trace()->warps.size(), 32u);
  EXPECT_EQ(first->inspected.coverage.blocks_executed, 1u);
  session_.wait(true);
  PicturePtr second = session_.picture();
  ASSERT_TRUE(second->whole);
  EXPECT_EQ(second->whole->coverage.blocks_executed, 6u);
  EXPECT_TRUE(second->check.checked);
  EXPECT_TRUE(second->check.correct) << second->check.message.english();
  EXPECT_GE(wakes_, 2);
  const Totals totals = totals_of(second->kernel(), *second->whole);
  EXPECT_EQ(totals.shared_load.wavefronts, 6u * 32 * 32);
  EXPECT_EQ(totals.shared_load.conflicts, 6u * 32 * 31);
  const auto line = std::find_if(second->lines.begin(), second->lines.end(),
                                 [](const LineTotals& l) { return l.line == 46; });
  ASSERT_NE(line, second->lines.end());
  EXPECT_EQ(line->shared.wavefronts, 6u * 32 * 32);
  EXPECT_EQ(line->executions, 6u * 32);
}

TEST_F(SessionTest, DefaultSelectionIsTheConflictingLoad) {
  open();
  EXPECT_EQ(session_.selection().warp, 0u);
  EXPECT_EQ(selected_line(), 46u);
  EXPECT_EQ(session_.picture()
                ->kernel()
                .accesses[static_cast<std::size_t>(session_.selection().access)]
                .op,
            AccessOp::load);
  session_.apply(SetParameter{"PAD", "1"});
  session_.wait(true);
  session_.apply(SelectKernel{"b/01_other"});
  session_.wait(true);
  EXPECT_EQ(selected_line(), 46u) << "default again for another kernel, which has PAD=0";
}

TEST_F(SessionTest, ParameterChangesRerunAndKeepTheSelection) {
  open();
  session_.apply(SelectWarp{5});
  session_.apply(SelectLane{3});
  const std::size_t step = session_.selection().step;
  const int access = session_.selection().access;
  EXPECT_TRUE(session_.apply(SetParameter{"PAD", "1"}));
  session_.wait(true);
  EXPECT_EQ(session_.picture()->prepared->parameters.at("PAD"), "1");
  EXPECT_EQ(session_.selection().warp, 5u);
  EXPECT_EQ(session_.selection().lane, 3);
  EXPECT_EQ(session_.selection().access, access);
  EXPECT_EQ(session_.selection().step, step);
  EXPECT_EQ(
      totals_of(session_.picture()->kernel(), *session_.picture()->whole).shared_load.conflicts,
      0u);
  EXPECT_FALSE(session_.apply(SetParameter{"PAD", "1"})) << "nothing changed";
  // A block of 8 x 8 has two warps: warp 5 is gone.
  session_.apply(SetParameter{"BX", "8"});
  session_.wait(true);
  EXPECT_EQ(session_.selection().warp, 0u);
}

TEST_F(SessionTest, FailuresKeepTheLastGoodPicture) {
  open();
  const PicturePtr good = session_.picture();
  session_.apply(SetText{replaced(kTranspose, "__syncthreads();", "__syncthreads()")});
  session_.wait(true);
  EXPECT_EQ(session_.picture(), good);
  EXPECT_TRUE(session_.status().stale);
  ASSERT_FALSE(session_.diagnostics().empty());
  EXPECT_EQ(session_.diagnostics()[0].line, 42u);
  EXPECT_EQ(session_.diagnostics()[0].kind, DiagnosticKind::compile);
  session_.apply(SetText{kTranspose});
  session_.wait(true);
  EXPECT_FALSE(session_.status().stale);
  EXPECT_TRUE(session_.diagnostics().empty());
}

TEST_F(SessionTest, AFaultWhileRunningShowsTheTraceUpToIt) {
  open();
  session_.apply(SetText{replaced(kTranspose, "out[to] =", "out[to + 100000] =")});
  session_.wait(true);
  EXPECT_FALSE(session_.status().stale);
  ASSERT_FALSE(session_.diagnostics().empty());
  EXPECT_EQ(session_.diagnostics()[0].kind, DiagnosticKind::out_of_bounds);
  EXPECT_EQ(session_.diagnostics()[0].line, 46u);
  EXPECT_GT(session_.picture()->trace()->warps[0].size(), 10u);
  EXPECT_FALSE(session_.picture()->whole);
}

TEST_F(SessionTest, AWrongResultIsADiagnostic) {
  open();
  session_.apply(SetText{replaced(kTranspose, "out[to] = cell[threadIdx.x][threadIdx.y]",
                                  "out[to] = cell[threadIdx.y][threadIdx.x]")});
  session_.wait(true);
  EXPECT_FALSE(session_.picture()->check.correct);
  ASSERT_EQ(session_.diagnostics().size(), 1u);
  EXPECT_EQ(session_.diagnostics()[0].kind, DiagnosticKind::wrong_result);
}

TEST_F(SessionTest, UndoTakesASliderDragAsOne) {
  open();
  for (const char* value : {"1", "2", "3", "4"}) session_.apply(SetParameter{"PAD", value});
  session_.apply(SetParameter{"BX", "16"});
  session_.wait();
  EXPECT_EQ(session_.picture()->prepared->parameters.at("BX"), "16");
  EXPECT_TRUE(session_.apply(Undo{}));
  EXPECT_EQ(session_.settings().parameters.count("BX"), 0u);
  EXPECT_EQ(session_.settings().parameters.at("PAD"), "4");
  EXPECT_TRUE(session_.apply(Undo{}));
  EXPECT_TRUE(session_.settings().parameters.empty()) << "the whole drag at once";
  EXPECT_FALSE(session_.can_undo());
  EXPECT_FALSE(session_.apply(Undo{}));
  EXPECT_TRUE(session_.apply(Redo{}));
  EXPECT_TRUE(session_.apply(Redo{}));
  EXPECT_FALSE(session_.can_redo());
  session_.wait();
  EXPECT_EQ(session_.picture()->prepared->parameters.at("BX"), "16");
  EXPECT_EQ(session_.picture()->prepared->parameters.at("PAD"), "4");
}

TEST_F(SessionTest, SlowChangesUndoOneByOne) {
  open();
  session_.apply(SetParameter{"PAD", "1"});
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  session_.apply(SetParameter{"PAD", "2"});
  session_.apply(Undo{});
  EXPECT_EQ(session_.settings().parameters.at("PAD"), "1");
}

TEST_F(SessionTest, TheNewestSettingsWin) {
  open();
  session_.apply(SetInspectedBlock{{1, 0, 0}});  // one that the grid has
  for (int i = 0; i < 40; ++i) session_.apply(SetParameter{"PAD", std::to_string(i % 5)});
  session_.wait(true);
  EXPECT_EQ(session_.picture()->prepared->parameters.at("PAD"), "4");
  EXPECT_EQ(session_.picture()->prepared->settings, session_.settings());
  ASSERT_TRUE(session_.picture()->whole);
}

TEST_F(SessionTest, AnEndlessLoopIsCancelledByNewerSettings) {
  open();
  session_.apply(SetText{replaced(kTranspose, "__syncthreads();", "while (true) out[0] = 1;")});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(session_.status().busy);
  session_.apply(Undo{});
  session_.wait(true);
  EXPECT_TRUE(session_.diagnostics().empty()) << messages(session_.diagnostics());
  EXPECT_EQ(session_.picture()->prepared->settings.text, kTranspose);
}

TEST_F(SessionTest, InspectedBlockStaysInsideTheGrid) {
  open();
  session_.apply(SetInspectedBlock{{1, 2, 0}});
  session_.wait();
  EXPECT_EQ(session_.picture()->trace()->block, (Dim3{1, 2, 0}));
  session_.apply(SetArgument{"nx", "32"});
  session_.wait();
  EXPECT_EQ(session_.picture()->trace()->block, (Dim3{0, 2, 0}));
}

TEST_F(SessionTest, EditingAwayAParameterDropsItsValue) {
  open();
  session_.apply(SetParameter{"PAD", "2"});
  session_.apply(SetText{replaced(
      replaced(kTranspose, "[[parameter]]\nname = \"PAD\"\ndefault = 0\nmin = 0\nmax = 4\n", ""),
      "BX + PAD", "BX")});
  session_.wait(true);
  EXPECT_FALSE(session_.status().stale) << messages(session_.diagnostics());
  EXPECT_EQ(session_.settings().parameters.count("PAD"), 0u);
}

TEST_F(SessionTest, ASliderReleasesABlockGivenByHand) {
  Settings settings = settings_of(kTranspose);
  settings.block = Dim3{16, 16, 1};
  session_.apply(settings);
  session_.wait();
  ASSERT_TRUE(session_.picture()) << messages(session_.diagnostics());
  session_.apply(SetParameter{"BX", "8"});
  session_.wait();
  EXPECT_EQ(session_.picture()->prepared->launch.block, (Dim3{8, 8, 1}))
      << messages(session_.diagnostics());
}

TEST_F(SessionTest, StepsGoForwardAndBack) {
  open();
  session_.apply(MoveStep{StepMove::first});
  EXPECT_EQ(session_.selection().step, 0u);
  EXPECT_FALSE(session_.apply(MoveStep{StepMove::back}));
  EXPECT_TRUE(session_.apply(MoveStep{StepMove::forward}));
  EXPECT_TRUE(session_.apply(MoveStep{StepMove::back}));
  EXPECT_EQ(session_.selection().step, 0u);
  std::vector<std::uint32_t> lines;
  while (session_.apply(MoveStep{StepMove::next_access})) lines.push_back(selected_line());
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{41, 41, 46, 46}));
  while (session_.apply(MoveStep{StepMove::previous_access})) lines.pop_back();
  EXPECT_EQ(lines.size(), 1u);
  EXPECT_TRUE(session_.apply(MoveStep{StepMove::next_barrier}));
  EXPECT_EQ(kind_here(), StepKind::barrier);
  EXPECT_FALSE(session_.apply(MoveStep{StepMove::next_barrier}));
  EXPECT_TRUE(session_.apply(MoveStep{StepMove::last}));
  EXPECT_EQ(session_.selection().step + 1, session_.picture()->trace()->warps[0].size());
  EXPECT_FALSE(session_.apply(MoveStep{StepMove::next_line}));
}

TEST_F(SessionTest, SelectingAnAccessFindsItsStep) {
  open();
  session_.apply(SelectWarp{7});
  session_.apply(MoveStep{StepMove::first});
  for (const AccessInfo& access : session_.picture()->kernel().accesses) {
    session_.apply(SelectAccess{static_cast<int>(access.id)});
    const WarpTrack& track = session_.picture()->trace()->warps[7];
    EXPECT_EQ(session_.picture()->kernel().ops[track.op[session_.selection().step]].access,
              static_cast<int>(access.id));
  }
  EXPECT_FALSE(session_.apply(SelectAccess{99}));
  EXPECT_FALSE(session_.apply(SelectWarp{99}));
  EXPECT_FALSE(session_.apply(SelectStep{100000}));
  EXPECT_FALSE(session_.apply(SelectLane{32}));
}

TEST_F(SessionTest, HoverLastsAFrame) {
  open();
  session_.begin_frame();
  session_.apply(HoverLane{4});
  EXPECT_EQ(session_.selection().shown_lane(), 4);
  session_.apply(HoverCell{{kSharedWindow, 4}});
  EXPECT_EQ(session_.selection().hover_lane, -1);
  EXPECT_TRUE(session_.selection().hover_cell);
  session_.begin_frame();
  EXPECT_FALSE(session_.selection().hover_cell);
}

TEST_F(SessionTest, UnknownKernelsAreADiagnostic) {
  open();
  const PicturePtr good = session_.picture();
  EXPECT_TRUE(session_.apply(SelectKernel{"nope"}));
  session_.wait(true);
  EXPECT_EQ(session_.picture(), good);
  ASSERT_EQ(session_.diagnostics().size(), 1u);
  EXPECT_EQ(session_.diagnostics()[0].kind, DiagnosticKind::usage);
}

TEST_F(SessionTest, CancelStopsTheWholeGridOnly) {
  open(false);
  session_.apply(SetArgument{"nx", "4096"});
  session_.wait(false);
  session_.cancel();
  session_.wait(true);
  EXPECT_EQ(session_.picture()->prepared->launch.grid.x, 128u);
  EXPECT_FALSE(session_.status().whole_grid_running);
}

TEST_F(SessionTest, EndsWhileWorkIsUnderWay) {
  session_.apply(settings_of(replaced(kTranspose, "__syncthreads();", "while (true) out[0] = 1;")));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
}

}  // namespace
}  // namespace lanescope::app
