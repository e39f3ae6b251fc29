#include "core/compare/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/kernel/kernel_testing.h"
#include "core/picture/chain.h"
#include "core/session/session.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

const std::string kNaive = R"cu(/*---
title = "Naive"
kernel = "naive"
[[argument]]
name = "in"
type = "float"
shape = ["64", "64"]
[[argument]]
name = "out"
type = "float"
shape = ["64", "64"]
[launch]
block = ["32", "8"]
grid = ["2", "8"]
---*/
__global__ void naive(const float* in, float* out) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[x * 64 + y] = in[y * 64 + x];
}
)cu";

class CompareTest : public ::testing::Test {
 protected:
  CompareTest() : session_(Catalog{}) {}
  void open() {
    session_.apply(settings_of(kTranspose, "tile.cu"));
    session_.wait(true);
    ASSERT_TRUE(session_.picture()) << messages(session_.diagnostics());
  }
  void compare(const Action& action) {
    session_.apply(action);
    session_.wait(true);
    ASSERT_NE(session_.comparison(), nullptr);
    ASSERT_TRUE(session_.comparison()->picture) << messages(session_.comparison()->diagnostics);
  }
  const Comparison& other() const { return *session_.comparison(); }
  Differences all() const {
    return differences(*session_.picture(), session_.selection(), *other().picture,
                       other().selection);
  }
  static const Difference* row(const Differences& from, Scope scope, Quantity quantity) {
    for (const DifferenceGroup& group : from.groups) {
      for (const Difference& one : group.rows) {
        if (group.scope == scope && one.quantity == quantity) return &one;
      }
    }
    return nullptr;
  }
  static int find(const Picture& picture, AccessOp op, MemorySpace space) {
    for (const AccessInfo& access : picture.kernel().accesses) {
      if (access.op == op && access.space == space) return static_cast<int>(access.id);
    }
    return -1;
  }
  Session session_;
};

TEST_F(CompareTest, UnpaddedAgainstPadded) {
  open();
  compare(CompareWithParameter{"PAD", "1"});
  EXPECT_EQ(session_.settings().parameters.count("PAD"), 0u) << "our own side stays as it is";
  const Differences differences = all();
  EXPECT_TRUE(differences.whole);
  const Difference* wavefronts = row(differences, Scope::execution, Quantity::wavefronts);
  ASSERT_NE(wavefronts, nullptr);
  EXPECT_EQ(wavefronts->left, 32.0);
  EXPECT_EQ(wavefronts->right, 1.0);
  EXPECT_EQ(wavefronts->change(), -31.0);
  EXPECT_EQ(wavefronts->verdict(), 1);
  const Difference* conflicts = row(differences, Scope::shared_load, Quantity::conflicts);
  ASSERT_NE(conflicts, nullptr);
  EXPECT_EQ(conflicts->left, 6.0 * 32 * 31);
  EXPECT_EQ(conflicts->right, 0.0);
  const Difference* bytes = row(differences, Scope::launch, Quantity::shared_bytes);
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(bytes->left, 4096.0);
  EXPECT_EQ(bytes->right, 4224.0);
  EXPECT_EQ(bytes->verdict(), -1) << "padding costs memory";
  const Difference* efficiency = row(differences, Scope::global_store, Quantity::efficiency);
  ASSERT_NE(efficiency, nullptr);
  EXPECT_EQ(efficiency->left, 100.0);
  EXPECT_EQ(efficiency->verdict(), 0);
  const auto settings = setting_differences(*session_.picture(), *other().picture);
  ASSERT_EQ(settings.size(), 1u);
  EXPECT_EQ(settings[0].name, "PAD");
  EXPECT_EQ(settings[0].right, "1");
}

TEST_F(CompareTest, LinkedStepsMoveBothAndUnlinkedOnesOnlyOne) {
  open();
  compare(CompareWithParameter{"PAD", "1"});
  for (const StepMove move : {StepMove::first, StepMove::next_access, StepMove::next_access}) {
    session_.apply(MoveStep{move});
    const auto ours = shown_access_step(*session_.picture(), session_.selection());
    const auto theirs = shown_access_step(*other().picture, other().selection);
    ASSERT_TRUE(ours && theirs);
    const auto op = [](const Picture& picture, const Selection& selection) {
      return picture.kernel().accesses[static_cast<std::size_t>(selection.access)].text;
    };
    EXPECT_EQ(op(*session_.picture(), session_.selection()),
              op(*other().picture, other().selection));
  }
  session_.apply(SelectWarp{3});
  EXPECT_EQ(other().selection.warp, 3u);
  session_.apply(MoveComparison{StepMove::next_access});
  EXPECT_FALSE(other().linked);
  const Selection alone = other().selection;
  session_.apply(MoveStep{StepMove::first});
  EXPECT_EQ(other().selection.step, alone.step);
  session_.apply(LinkComparison{true});
  EXPECT_EQ(other().selection.access, session_.selection().access);
}

TEST_F(CompareTest, AccessesAreMatchedByWhatTheyDo) {
  open();
  compare(SetComparison{settings_of(kNaive, "naive.cu")});
  const Picture &ours = *session_.picture(), &theirs = *other().picture;
  const auto match = [&](AccessOp op, MemorySpace space) {
    return matching_access(ours, find(ours, op, space), theirs);
  };
  EXPECT_EQ(match(AccessOp::load, MemorySpace::global),
            find(theirs, AccessOp::load, MemorySpace::global));
  EXPECT_EQ(match(AccessOp::store, MemorySpace::global),
            find(theirs, AccessOp::store, MemorySpace::global));
  EXPECT_EQ(match(AccessOp::load, MemorySpace::shared), -1);
  // What only one side has is told as such, and its totals count.
  const Differences differences = all();
  const auto alone = std::find_if(differences.groups.begin(), differences.groups.end(),
                                  [](const DifferenceGroup& group) {
                                    return group.scope == Scope::access && group.right_access < 0;
                                  });
  ASSERT_NE(alone, differences.groups.end());
  EXPECT_FALSE(alone->rows.front().right.has_value());
  EXPECT_FALSE(alone->rows.front().change().has_value());
  EXPECT_EQ(alone->rows.front().verdict(), 0);
  const Difference* stored = row(differences, Scope::global_store, Quantity::sectors);
  ASSERT_NE(stored, nullptr);
  EXPECT_LT(*stored->left, *stored->right);
  EXPECT_EQ(stored->verdict(), -1);
}

TEST_F(CompareTest, PreviousSwapPinAndClear) {
  open();
  EXPECT_EQ(session_.previous(), nullptr);
  EXPECT_FALSE(session_.apply(CompareWithPrevious{}));
  session_.apply(SetParameter{"PAD", "1"});
  session_.apply(SetInspectedBlock{{1, 1, 0}});
  ASSERT_NE(session_.previous(), nullptr) << "which block is looked at changes no number";
  EXPECT_EQ(session_.previous()->parameters.count("PAD"), 0u);
  compare(CompareWithPrevious{});
  EXPECT_EQ(other().picture->prepared->parameters.at("PAD"), "0");
  EXPECT_EQ(other().picture->trace()->block, (Dim3{1, 1, 0})) << "the same block on both sides";

  session_.apply(SwapComparison{});
  session_.wait(true);
  EXPECT_EQ(session_.picture()->prepared->parameters.at("PAD"), "0");
  EXPECT_EQ(other().picture->prepared->parameters.at("PAD"), "1");
  EXPECT_TRUE(session_.can_undo());

  session_.apply(PinForComparison{});
  session_.apply(SetParameter{"PAD", "2"});
  session_.wait(true);
  EXPECT_EQ(session_.picture()->prepared->parameters.at("PAD"), "2");
  EXPECT_EQ(other().picture->prepared->parameters.at("PAD"), "0");

  session_.apply(SetInspectedBlock{{0, 2, 0}});
  session_.wait(true);
  EXPECT_EQ(other().picture->trace()->block, (Dim3{0, 2, 0}));

  EXPECT_TRUE(session_.apply(ClearComparison{}));
  EXPECT_EQ(session_.comparison(), nullptr);
  session_.wait(true);
}

TEST_F(CompareTest, TheOtherSideMayFail) {
  open();
  session_.apply(SetComparison{settings_of("__global__ void k() { nonsense }", "bad.cu")});
  session_.wait(true);
  ASSERT_NE(session_.comparison(), nullptr);
  EXPECT_FALSE(other().picture);
  EXPECT_TRUE(has_errors(other().diagnostics));
  EXPECT_TRUE(session_.picture());
  EXPECT_TRUE(session_.diagnostics().empty()) << "our own side has nothing to do with it";
}

}  // namespace
}  // namespace lanescope::app
