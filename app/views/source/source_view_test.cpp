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

  [[nodiscard]] std::size_t begin() const {
    const SourceState& state = state_of<SourceState>(*workspace);
    return state.editor.GetLineText(state.row(state.marked_line)).find(text_);
  }

  std::string text_;
};

TEST_F(SourceViewTest, TheSelectedAccessIsInSightInALongLine) {
  open_view("source", {560, 500}, "transpose/14_memcpy_async", {});
  if (IsSkipped()) return;
  select("out");
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

TEST_F(SourceViewTest, WhatOpensIsReadFromTheLeft) {
  open_view("source", {340, 500}, "transpose/03_shared_tile", {});
  if (IsSkipped()) return;
  select("tile");
  EXPECT_FALSE(in_sight()) << "it is beyond the edge";
  EXPECT_EQ(editor().GetFirstVisibleColumn(), 0u);
}

TEST_F(SourceViewTest, AnAccessOfWhichHalfIsSeenStaysWhereItIs) {
  open_view("source", {560, 500}, "transpose/03_shared_tile", {});
  if (IsSkipped()) return;
  select("in");
  select("tile");
  EXPECT_FALSE(in_sight()) << "its end is to be cut off";
  EXPECT_EQ(editor().GetFirstVisibleColumn(), 0u);
}

TEST_F(SourceViewTest, AnAccessOfWhichLessIsSeenComesIntoSightAndNoFurther) {
  open_view("source", {460, 500}, "transpose/03_shared_tile", {});
  if (IsSkipped()) return;
  select("in");
  select("tile");
  EXPECT_TRUE(in_sight()) << text_;
  EXPECT_LT(editor().GetFirstVisibleColumn() + 2, begin()) << "no further than its end needs";
}

}  // namespace
}  // namespace lanescope::app
