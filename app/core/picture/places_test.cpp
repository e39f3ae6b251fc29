// Elements by name, their ways through the warps of a block, and where mistakes lie.
#include "core/picture/places.h"

#include <gtest/gtest.h>

#include "core/kernel/catalog.h"
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

}  // namespace
}  // namespace lanescope::app
