// Elements by name, their ways through the warps of a block, and where mistakes lie.
#include "core/places/places.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "core/kernel/catalog.h"
#include "core/picture/chain.h"
#include "core/places/race.h"
#include "core/places/touch.h"
#include "core/session/session.h"

namespace lanescope::app {
namespace {

class PlacesTest : public testing::Test {
 protected:
  void open(const std::string& kernel, Dim3 block = {0, 0, 0}) {
    OpenResult opened = open_kernel(session.catalog(), kernel);
    ASSERT_TRUE(opened.settings) << kernel;
    opened.settings->inspected_block = block;
    session.apply(*opened.settings);
    session.wait();
    ASSERT_TRUE(session.picture() && session.picture()->trace());
  }
  [[nodiscard]] const AccessInfo& access() const {
    return session.picture()
        ->kernel()
        .accesses[static_cast<std::size_t>(session.selection().access)];
  }

  Session session{load_catalog(LANESCOPE_SOURCE_DIR "/kernels")};
};

TEST_F(PlacesTest, ElementsAreFoundByTheirNames) {
  open("transpose/04_shared_tile_padded");
  const Picture& picture = *session.picture();
  const auto cell = cell_named(picture, " in[5][3] ");
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->address, picture.prepared->buffers[0].base + (5 * 1024 + 3) * 4);
  EXPECT_EQ(cell_named(picture, "in[5123]"), cell);
  EXPECT_TRUE(cell_named(picture, "tile[31][32]"));
  for (const char* wrong : {"in", "in[", "in[5", "in[5][1024]", "in[x]", "nobody[0]", "[3]", "",
                            "in[1][2][3]", "in[5]3"})
    EXPECT_FALSE(cell_named(picture, wrong)) << wrong;
}

// What is met again is left out, and nothing else.
TEST_F(PlacesTest, DifferentTouchesReachAllThatIsTouched) {
  using Cells = std::set<std::tuple<int, std::uint64_t, std::uint32_t>>;
  for (const char* kernel : {"transpose/04_shared_tile_padded", "gemm/01_block_tiled"}) {
    open(kernel);
    const Picture& picture = *session.picture();
    std::size_t touches = 0, different = 0;
    Cells all, reached;
    for_each_touch(picture, [&](const ChainLink& link) {
      ++touches;
      all.insert({link.access, link.cell.address, link.cell.bytes});
    });
    for (const StepRef& at : different_touches(picture)) {
      for_each_touch_of(picture, at.warp, at.step, [&](const ChainLink& link) {
        ++different;
        reached.insert({link.access, link.cell.address, link.cell.bytes});
      });
    }
    EXPECT_FALSE(all.empty());
    EXPECT_EQ(reached, all) << kernel;
    EXPECT_LE(different, touches);
    if (std::string(kernel) == "gemm/01_block_tiled") {
      EXPECT_LT(different * 4, touches) << "its tile is gone through in every round";
    }
  }
}

TEST_F(PlacesTest, AnElementIsFollowedThroughTheWarpsThatOwnIt) {
  open("transpose/04_shared_tile_padded");
  const auto cell = cell_named(*session.picture(), "in[5][3]");
  ASSERT_TRUE(session.apply(Action(GoToCell{*cell})));
  EXPECT_EQ(session.selection().warp, 5u);  // a warp a row
  EXPECT_EQ(access().root, "in");
  EXPECT_EQ(session.selection().cell, cell);
  EXPECT_TRUE(session.apply(Action(MoveStep{StepMove::next_access})));
  EXPECT_EQ(session.selection().warp, 5u);
  EXPECT_EQ(access().root, "tile");
  EXPECT_TRUE(session.apply(Action(MoveStep{StepMove::next_access})));
  EXPECT_EQ(session.selection().warp, 3u);  // the column's: threads have changed roles
  EXPECT_EQ(access().op, AccessOp::load);
  EXPECT_TRUE(session.apply(Action(MoveStep{StepMove::next_access})));
  EXPECT_EQ(access().root, "out");
  EXPECT_EQ(session.selection().cell, cell_named(*session.picture(), "out[3][5]"));
  EXPECT_FALSE(session.apply(Action(MoveStep{StepMove::next_access})));  // there it stays
  EXPECT_TRUE(session.apply(Action(MoveStep{StepMove::previous_access})));
  EXPECT_EQ(session.selection().warp, 3u);
  EXPECT_EQ(access().root, "tile");
}

TEST_F(PlacesTest, AnElementIsFollowedThroughAnAsynchronousCopy) {
  open("transpose/14_memcpy_async");
  ASSERT_TRUE(session.apply(Action(GoToCell{*cell_named(*session.picture(), "in[5][3]")})));
  EXPECT_EQ(access().op, AccessOp::async_copy);
  for (const char* place : {"tile[5][3]", "tile[5][3]", "out[3][5]"}) {
    ASSERT_TRUE(session.apply(Action(MoveStep{StepMove::next_access}))) << place;
    EXPECT_EQ(session.selection().cell, cell_named(*session.picture(), place));
  }
}

TEST_F(PlacesTest, AMistakeIsGoneToInItsBlock) {
  open("broken/26_remap_wrong_divisor", {1, 1, 0});
  session.wait(true);
  const auto& all = session.diagnostics();
  const auto found = std::find_if(all.begin(), all.end(), [](const Diagnostic& d) {
    return d.thread.has_value() && d.block.has_value();
  });
  ASSERT_NE(found, all.end());
  const Diagnostic mistake = *found;
  ASSERT_TRUE(session.apply(Action(ShowMistake{mistake})));
  session.wait();
  EXPECT_EQ(session.settings().inspected_block, *mistake.block);
  const Dim3 block = session.picture()->prepared->launch.block;
  const std::uint32_t number = mistake.thread->y * block.x + mistake.thread->x;
  EXPECT_EQ(session.selection().warp, number / 32);
  EXPECT_EQ(access().pos.line, mistake.line);
  ASSERT_TRUE(session.selection().cell);
  if (mistake.address) {
    EXPECT_EQ(session.selection().cell->address, *mistake.address);
  }
}

TEST_F(PlacesTest, AnElementOfAnotherBlockIsGoneToThere) {
  open("transpose/04_shared_tile_padded");
  const auto go = [&](const char* name) {
    session.apply(Action(GoToCell{*cell_named(*session.picture(), name)}));
    session.wait();
  };
  go("in[69][37]");
  EXPECT_EQ(session.settings().inspected_block, (Dim3{1, 2, 0}));
  EXPECT_EQ(session.selection().warp, 5u);
  EXPECT_EQ(access().root, "in");
  // The output's rows are the blocks' columns: its first guess is another block, and that is noticed.
  go("out[96][5]");
  EXPECT_EQ(session.settings().inspected_block, (Dim3{3, 0, 0}));
  EXPECT_EQ(access().root, "out");
  ASSERT_TRUE(session.apply(Action(Undo{})));
  session.wait();
  EXPECT_EQ(session.settings().inspected_block, (Dim3{1, 2, 0})) << "one way, one undo";
}

TEST_F(PlacesTest, AnElementThatNobodyTouchesIsPinnedWhereOneIs) {
  open("broken/27_grid_rounded_down", {1, 1, 0});
  const auto& buffers = session.picture()->prepared->buffers;
  const BufferLayout& in = buffers.front();
  const Cell last{in.base + in.bytes - in.element_bytes, in.element_bytes};
  session.apply(Action(GoToCell{last}));
  session.wait();
  EXPECT_EQ(session.settings().inspected_block, (Dim3{1, 1, 0}));
  EXPECT_EQ(session.selection().cell, last);
}

TEST_F(PlacesTest, ARaceHasTwoSides) {
  open("broken/01_missing_barrier");
  session.wait(true);
  std::size_t races = 0;
  for (const Diagnostic& mistake : std::vector<Diagnostic>(session.diagnostics())) {
    if (mistake.kind != DiagnosticKind::race) continue;
    ++races;
    session.apply(Action(ShowMistake{mistake}));
    session.wait();
    ASSERT_TRUE(session.selection().race) << mistake.message.english();
    const auto& [named, other] = *session.selection().race;
    const Dim3 block = session.picture()->prepared->launch.block;
    EXPECT_EQ(thread_of(block, named.warp, named.lane), *mistake.thread);
    const Dim3 rival = thread_of(block, other.warp, other.lane);
    const std::string name =
        "(" + std::to_string(rival.x) + ", " + std::to_string(rival.y) + ", 0)";
    EXPECT_NE(mistake.message.english().find("thread " + name), std::string::npos)
        << name << ": " << mistake.message.english();
    EXPECT_EQ(named.cell.address, other.cell.address);
    EXPECT_EQ(named.cell.address, *mistake.address);
  }
  EXPECT_EQ(races, 2u);
  session.apply(Action(SelectCell{}));
  EXPECT_FALSE(session.selection().race) << "what is pinned next is no race";
}

TEST_F(PlacesTest, ARaceBetweenBlocksIsSeenFromEitherSide) {
  open("broken/21_histogram_no_atomic");
  session.wait(true);
  const std::vector<Diagnostic> mistakes = session.diagnostics();
  const auto first = std::find_if(mistakes.begin(), mistakes.end(), [](const Diagnostic& d) {
    return d.kind == DiagnosticKind::race;
  });
  ASSERT_NE(first, mistakes.end());
  const auto show = [&](const Diagnostic& mistake) {
    session.apply(Action(ShowMistake{mistake}));
    session.wait();
    return race_apart(*session.picture(), chain_of(*session.picture(), session.selection()),
                      mistakes);
  };
  const auto here = show(*first);
  ASSERT_TRUE(here);
  EXPECT_EQ(session.settings().inspected_block, *first->block);
  EXPECT_NE(here->block, *first->block);

  const auto there = show(other_side(*here));
  EXPECT_EQ(session.settings().inspected_block, here->block);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->here.cell.address, here->here.cell.address);
  const Dim3 block = session.picture()->prepared->launch.block;
  EXPECT_EQ(thread_of(block, there->here.warp, there->here.lane), here->thread);
  EXPECT_EQ(there->block, *first->block);
  EXPECT_EQ(there->thread, *first->thread) << "and from there back";

  EXPECT_FALSE(race_apart(*session.picture(), {}, mistakes)) << "nobody touches what is pinned";
}

}  // namespace
}  // namespace lanescope::app
