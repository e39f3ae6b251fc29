// The Source view: what is selected is in sight, however long its line.
#include "views/source/source_view.h"

#include <gtest/gtest.h>

#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

class SourceViewTest : public ViewTest {
 protected:
  /// The access of an array that is loaded or stored, selected; and the columns of its text.
  void select(const std::string& root) {
    for (const AccessInfo& access : session->picture()->kernel().accesses) {
      if (access.root != root) continue;
      text_ = access.text;
      frame->pending.push_back(SelectAccess{static_cast<int>(access.id)});
    }
    gui->frames(12);
  }
  [[nodiscard]] const TextEditor& editor() const {
    return state_of<SourceState>(*workspace).editor;
  }
  [[nodiscard]] bool in_sight() const {
    const SourceState& state = state_of<SourceState>(*workspace);
    const std::string line = state.editor.GetLineText(state.row(state.marked_line));
    const std::size_t at = line.find(text_);
    return at != std::string::npos && at >= editor().GetFirstVisibleColumn() &&
           at + text_.size() < editor().GetLastVisibleColumn();
  }

  std::string text_;
};

TEST_F(SourceViewTest, TheSelectedAccessIsInSightInALongLine) {
  open_view("source", {560, 500}, "transpose/14_memcpy_async", {});
  if (IsSkipped()) return;
  select("tile");
  EXPECT_TRUE(in_sight()) << text_;
  EXPECT_GT(editor().GetFirstVisibleColumn(), 0u) << "it stands behind the store";
  select("out");
  EXPECT_TRUE(in_sight()) << text_;
}

TEST_F(SourceViewTest, WhereTheLineFitsItStaysAtTheLeft) {
  open_view("source", {1200, 500}, "transpose/14_memcpy_async", {});
  if (IsSkipped()) return;
  select("tile");
  EXPECT_TRUE(in_sight()) << text_;
  EXPECT_EQ(editor().GetFirstVisibleColumn(), 0u);
}

}  // namespace
}  // namespace lanescope::app
