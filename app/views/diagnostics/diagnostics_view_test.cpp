// The Diagnostics view: a click goes to the block, the thread and the cell of a mistake.
#include "views/diagnostics/diagnostics_view.h"

#include <gtest/gtest.h>

#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

class DiagnosticsViewTest : public ViewTest {};

TEST_F(DiagnosticsViewTest, AClickGoesToWhereItIsWrong) {
  open_view("diagnostics", {900, 400}, "broken/05_tile_reused", {}, [](Settings& settings) {
    settings.inspected_block = {0, 1, 0};
  });
  ASSERT_FALSE(session->diagnostics().empty());
  const Diagnostic race = session->diagnostics().front();
  ASSERT_TRUE(race.block && race.thread && race.address);
  gui->run([](ImGuiTestContext& test) { test.ItemClick("//###only/$$0/message"); });
  settle();
  EXPECT_EQ(session->settings().inspected_block, *race.block);
  EXPECT_EQ(session->selection().warp, race.thread->y);  // 32 wide
  ASSERT_TRUE(session->selection().cell);
  EXPECT_EQ(session->selection().cell->address, *race.address);
}

}  // namespace
}  // namespace lanescope::app
