// The comparison, driven through the window.
#include "views/compare/compare_view.h"

#include <gtest/gtest.h>

#include "core/picture/chain.h"
#include "views/frame/view_test.h"

namespace lanescope::app {
namespace {

class CompareViewTest : public ViewTest {
 protected:
  void open(const std::string& kernel, const Values& parameters = {}) {
    open_view("compare", {1280, 800}, kernel, parameters);
  }
  // What the table's row about the looked-at execution says.
  const Difference* shown(Quantity quantity) const {
    for (const DifferenceGroup& group : state_of<CompareState>(*workspace).numbers.groups) {
      for (const Difference& one : group.rows) {
        if (group.scope == Scope::execution && one.quantity == quantity) return &one;
      }
    }
    return nullptr;
  }
  static std::string item(const char* name) { return std::string("//###only/**/") + name; }
};

TEST_F(CompareViewTest, AButtonSetsThePaddedTileBesideTheUnpadded) {
  open("transpose/04_shared_tile_padded", {{"PAD", "0"}});
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("PAD/1").c_str());
    test.Yield(2);
    IM_CHECK(session->comparison() != nullptr);
    session->wait(true);
    test.Yield(3);
    const Difference* wavefronts = shown(Quantity::wavefronts);
    IM_CHECK(wavefronts != nullptr);
    IM_CHECK_EQ(*wavefronts->left, 32.0);
    IM_CHECK_EQ(*wavefronts->right, 1.0);

    // Stepping moves both sides, to the same access.
    const std::size_t before = session->comparison()->selection.step;
    session->apply(Action(MoveStep{StepMove::previous_access}));
    test.Yield(2);
    IM_CHECK_NE(session->comparison()->selection.step, before);
    IM_CHECK(shown(Quantity::wavefronts)->left == shown(Quantity::wavefronts)->right);
    session->apply(Action(MoveStep{StepMove::next_access}));
    test.Yield(2);
    IM_CHECK_EQ(*shown(Quantity::wavefronts)->right, 1.0);

    // A lane hovered on one side is lit on both.
    test.MouseMove(item("right/lane 7").c_str());
    test.Yield(3);
    IM_CHECK_EQ(session->selection().hover_lane, 7);
    const auto lit =
        std::count_if(workspace->lit.entries.begin(), workspace->lit.entries.end(),
                      [](const Lit::Entry& e) { return e.view == "compare" && e.lane == 7; });
    IM_CHECK_EQ(lit, 2);

    test.ItemClick(item("Swap sides").c_str());
    test.Yield(2);
    session->wait(true);
    test.Yield(3);
    IM_CHECK_EQ(*shown(Quantity::wavefronts)->left, 1.0);
    IM_CHECK_EQ(*shown(Quantity::wavefronts)->right, 32.0);
    test.ItemClick(item("Compare with something else").c_str());
    test.Yield(2);
    IM_CHECK(session->comparison() == nullptr);
  });
}

TEST_F(CompareViewTest, TheSettingBeforeTheLastChangeIsOneClickAway) {
  open("transpose/04_shared_tile_padded", {{"PAD", "1"}});
  session->apply(Action(SetParameter{"PAD", "0"}));
  session->wait(true);
  for (const AccessInfo& access : session->picture()->kernel().accesses) {
    if (access.text.starts_with("tile[") && access.op == AccessOp::load)
      session->apply(Action(SelectAccess{static_cast<int>(access.id)}));
  }
  gui->frames(3);
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("previous").c_str());
    test.Yield(2);
    session->wait(true);
    test.Yield(3);
    IM_CHECK(shown(Quantity::conflicts) != nullptr);
    IM_CHECK_EQ(*shown(Quantity::conflicts)->left, 31.0);
    IM_CHECK_EQ(*shown(Quantity::conflicts)->right, 0.0);
    IM_CHECK_EQ(state_of<CompareState>(*workspace).settings.size(), 1u);
  });
}

TEST_F(CompareViewTest, TheTextsOfTwoKernelsStandSideBySide) {
  open("transpose/03_shared_tile");
  session->apply(Action(CompareWithKernel{"transpose/04_shared_tile_padded"}));
  session->wait(true);
  gui->frames(3);
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("parts/###text").c_str());
    test.Yield(3);
    const TextDiff& diff = state_of<CompareState>(*workspace).text;
    IM_CHECK_GT(diff.removed + diff.added, 0u);
    const bool tile = std::any_of(diff.rows.begin(), diff.rows.end(), [&](const DiffRow& row) {
      return !row.same && row.right && diff.right[*row.right].find("+ PAD]") != std::string::npos;
    });
    IM_CHECK(tile);
    // Line numbers are the file's own.
    const std::string text = session->comparison()->picture->prepared->settings.text;
    IM_CHECK_EQ(state_of<CompareState>(*workspace).right_skipped + diff.right.size(),
                static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
    test.ItemClick(item("all lines").c_str());
    test.Yield(2);
    IM_CHECK(state_of<CompareState>(*workspace).all_lines);
  });
}

TEST_F(CompareViewTest, AnotherKernelFromTheList) {
  open("transpose/03_shared_tile");
  gui->run([&](ImGuiTestContext& test) {
    test.ItemClick(item("Naive, coalesced reads##transpose\\/01_naive_row").c_str());
    test.Yield(2);
    session->wait(true);
    test.Yield(3);
    IM_CHECK(session->comparison() != nullptr);
    IM_CHECK_EQ(session->comparison()->picture->prepared->settings.name, "transpose/01_naive_row");
    // The load from the tile has no counterpart in a kernel without one.
    IM_CHECK(!shown(Quantity::wavefronts)->right.has_value());
  });
}

}  // namespace
}  // namespace lanescope::app
