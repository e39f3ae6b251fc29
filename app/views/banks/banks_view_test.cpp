// The Banks view: the strip of all accesses, the groups that serve wide ones, the wavefronts
// played.
#include "views/banks/banks_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "imgui_internal.h"
#include "views/banks/banks_bins.h"
#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

class BanksTest : public ViewTest {
 protected:
  void open(const std::string& kernel, const Values& parameters = {}) {
    open_view("banks", {800, 700}, kernel, parameters);
  }
};

TEST_F(BanksTest, TheStripHasEveryExecutionWorstFirst) {
  open("gemm/01_block_tiled");
  const TraceIndex& index = *session->picture()->index;
  const auto& rows = state_of<BanksState>(*workspace).strip.rows;
  std::size_t executions = 0;
  std::uint64_t before = ~std::uint64_t{0}, conflicts = 0;
  for (const StripRow& row : rows) {
    EXPECT_LE(row.conflicts, before);
    before = row.conflicts;
    conflicts += row.conflicts;
    executions += row.executions.size();
    for (std::size_t i = 1; i < row.executions.size(); ++i)
      ASSERT_GE(index.shared()[row.executions[i - 1]].conflicts,
                index.shared()[row.executions[i]].conflicts);
  }
  EXPECT_EQ(executions, index.shared().size());
  std::uint64_t counted = 0;
  for (const AccessCounts& counts : session->picture()->inspected.accesses)
    counted += counts.shared.conflicts;
  EXPECT_EQ(conflicts, counted);
  EXPECT_GT(conflicts, 0u);
}

TEST_F(BanksTest, WhatNoLanesAskForIsShownByWhatIsCounted) {
  const auto select = [&](AccessOp op) {
    const auto& accesses = session->picture()->kernel().accesses;
    const auto found = std::find_if(accesses.begin(), accesses.end(),
                                    [&](const AccessInfo& access) { return access.op == op; });
    ASSERT_NE(found, accesses.end());
    session->apply(Action(SelectAccess{static_cast<int>(found->id)}));
    settle();
  };
  open("gemm/25_wgmma");
  select(AccessOp::product);
  gui->run([](ImGuiTestContext& test) { IM_CHECK(test.ItemExists("//###only/**/wavefronts")); });
  TearDown();
  gui.reset();
  open("copy/03_tensor_copy");
  for (const AccessOp op : {AccessOp::bulk_load, AccessOp::bulk_store}) {
    select(op);
    gui->run([](ImGuiTestContext& test) { IM_CHECK(test.ItemExists("//###only/**/chunks")); });
  }
}

TEST_F(BanksTest, AClickInTheStripSelectsThatWarpAndStep) {
  open("transpose/03_shared_tile");
  const StripRow& row = state_of<BanksState>(*workspace).strip.rows.front();
  ASSERT_EQ(row.executions.size(), 32u);
  const SharedExecution wanted =
      session->picture()->index->shared()[row.executions[16]];  // in the middle
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/**/$$0/executions"); });
  gui->frames(3);
  EXPECT_EQ(session->selection().warp, wanted.warp);
  EXPECT_EQ(session->selection().step, wanted.step);
  EXPECT_EQ(session->selection().access, static_cast<int>(wanted.access));
}

TEST_F(BanksTest, WavefrontsAreSteppedThroughAndStartOverElsewhere) {
  open("transpose/03_shared_tile");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick("//###only/wavefront after/##icon");
    test.ItemClick("//###only/wavefront after/##icon");
    IM_CHECK_EQ(state_of<BanksState>(*workspace).shown, 2);
    test.ItemClick("//###only/wavefront before/##icon");
    IM_CHECK_EQ(state_of<BanksState>(*workspace).shown, 1);
    test.ItemClick("//###only/play wavefronts/##icon");
    IM_CHECK(state_of<BanksState>(*workspace).playing);
    test.ItemClick("//###only/play wavefronts/##icon");
    IM_CHECK(!state_of<BanksState>(*workspace).playing);
    IM_CHECK_GE(state_of<BanksState>(*workspace).shown, 1);
  });
  session->apply(Action(SelectWarp{3}));
  gui->frames(3);
  EXPECT_EQ(state_of<BanksState>(*workspace).shown, 0);
}

TEST_F(BanksTest, InANarrowViewNoButtonIsCutOff) {
  open_view("banks", {270, 320}, "transpose/05_remapped", {});
  if (IsSkipped()) return;
  const ImGuiWindow* view = ImGui::FindWindowByName("###only");
  ASSERT_NE(view, nullptr);
  gui->run([&](ImGuiTestContext& test) {
    const auto right = [&](const char* item) { return test.ItemInfo(item).RectFull.Max.x; };
    IM_CHECK_LE(right("//###only/play wavefronts/##icon"), view->InnerRect.Max.x);
    IM_CHECK(!test.ItemExists("//###only/wavefront after/##icon"));
  });
}

// What the cells mean is said where there is room for all of it: no scrolling for half a sentence.
TEST_F(BanksTest, TheCardIsNotScrolledForItsLegendAlone) {
  int seen = 0;
  for (float height = 200; height <= 420; height += 20) {
    TearDown();
    gui.reset();  // only one at a time
    open_view("banks", {1300, height}, "transpose/05_remapped", {});
    if (IsSkipped()) return;
    gui->frames(4);
    const ImGuiWindow* card = nullptr;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && std::strstr(window->Name, "equation")) card = window;
    if (!card) continue;  // no room for it beside the bins
    float last = 0;
    gui->run([&](ImGuiTestContext& test) {
      last = test.ItemInfo("//###only/**/+##pitch", ImGuiTestOpFlags_NoError).RectFull.Max.y;
    });
    if (last > 0 && last <= card->InnerRect.Max.y) {  // 0: it is not in sight
      ++seen;
      EXPECT_EQ(card->ScrollMax.y, 0) << height;
    }
  }
  EXPECT_GT(seen, 4);
}

TEST_F(BanksTest, RowsOfTheTileSlideByTheirPaddingAndLanesStandOverTheirBins) {
  open("transpose/04_shared_tile_padded", {{"PAD", "0"}});
  const BanksTile& tile = state_of<BanksState>(*workspace).tile;
  ASSERT_EQ(tile.drawn.size(), 32u);
  EXPECT_EQ(tile.drawn[5], 5 * 32.0f);
  session->apply(Action(SetParameter{"PAD", "1"}));
  session->wait(true);
  gui->frames(2);
  EXPECT_GT(tile.drawn[5], 5 * 32.0f);  // on its way
  EXPECT_LT(tile.drawn[5], 5 * 33.0f);
  for (int i = 0; i < 300 && tile.drawn != tile.wanted; ++i) gui->frames(1);
  for (std::size_t row = 0; row < 32; ++row) EXPECT_EQ(tile.drawn[row], row * 33.0f);
  const Execution& shown = *workspace->focus.update(session->picture().get(), session->selection())
                                .in(MemorySpace::shared);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto row = static_cast<std::size_t>(tile.row[lane]);
    EXPECT_EQ(static_cast<int>(tile.drawn[row]) % kBanks,
              static_cast<int>(shown.address[lane] / kBankBytes % kBanks));  // column 0
  }
}

TEST_F(BanksTest, AStackIsAsHighAsTheLanesThatWait) {
  open("transpose/05_remapped");
  const Execution& shown = *workspace->focus.update(session->picture().get(), session->selection())
                                .in(MemorySpace::shared);
  const auto heights = stack_heights(*shown.banks);
  EXPECT_EQ(*std::max_element(heights.begin(), heights.end()), shown.banks->ways);
  EXPECT_EQ(heights[0], 1);  // bank 0: nobody else
  EXPECT_EQ(heights[3], 4);  // lanes 3, 10, 17, 24
  EXPECT_EQ(heights[24], 4);
}

TEST_F(BanksTest, TheEquationsOtherPitchIsAClickAway) {
  open("transpose/05_remapped");
  gui->run([](ImGuiTestContext& test) {
    test.ItemClick("//###only/###equation");
    test.Yield(2);
    test.ItemClick("//###only/**/###apply pitch");
  });
  settle();
  EXPECT_EQ(session->settings().parameters.at("PAD"), "4");
  EXPECT_TRUE(state_of<BanksState>(*workspace).equation);
}

TEST(BanksGroups, AreNamedByTheLanesTheyServe) {
  LaneRow row;
  for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] = 16 * lane;
  const auto name = [&](std::uint32_t bytes, LaneMask mask, std::size_t group) {
    return group_text(plan_banks(row, mask, bytes, true), group);
  };
  EXPECT_EQ(name(4, kAllLanes, 0), "");
  EXPECT_EQ(name(8, kAllLanes, 1), "lanes 16–31: second half-warp");
  EXPECT_EQ(name(16, kAllLanes, 2), "lanes 16–23: third quarter-warp");
  // A quarter with no active lane is not served: the second group is the fourth quarter.
  EXPECT_EQ(name(16, 0xff0000ffu, 1), "lanes 24–31: fourth quarter-warp");
  for (std::size_t lane = 0; lane < kLanes; ++lane) row[lane] = 16 * (lane / 2);
  EXPECT_EQ(name(16, kAllLanes, 1), "lanes 16–31: second half-warp");  // merged
  EXPECT_EQ(name(8, kAllLanes, 0), "");
  EXPECT_EQ(group_text(plan_banks(row, kAllLanes, 16, Service::matrix4), 2),
            "matrix 2: its rows by lanes 16–23");
}

}  // namespace
}  // namespace lanescope::app
