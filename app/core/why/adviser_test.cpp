// What is suggested, and that it holds: every suggestion is run again here.
#include "core/why/adviser.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/kernel/kernel_testing.h"
#include "core/kernel/small_launch.h"
#include "core/session/session.h"
#include "core/why/text_changes.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

class AdviserTest : public ::testing::Test {
 protected:
  void open(const Settings& settings) {
    session_->apply(settings);
    session_->wait(true);
    ASSERT_TRUE(session_->picture() && session_->picture()->whole)
        << messages(session_->diagnostics());
  }
  void open(const std::string& kernel) { open(*small_launch(session_->catalog(), kernel)); }
  void ask() {
    ASSERT_TRUE(session_->apply(Action(RequestAdvice{})));
    session_->wait(true);
    ASSERT_TRUE(session_->advice() && session_->advice()->finished);
  }
  void select(const std::string& root, AccessOp op) {
    for (const AccessInfo& access : session_->picture()->kernel().accesses) {
      if (access.root == root && access.op == op)
        session_->apply(Action(SelectAccess{static_cast<int>(access.id)}));
    }
  }
  const Suggestion* suggestion(ChangeKind kind) const {
    for (const Suggestion& s : session_->advice()->suggestions)
      if (s.change.kind == kind) return &s;
    return nullptr;
  }
  // Every suggestion's figure is what a session finds that opens its settings.
  void expect_all_hold() {
    const AdvicePtr advice = session_->advice();
    for (const Suggestion& s : advice->suggestions) {
      Session again(load_catalog(kKernels));
      again.apply(s.change.settings);
      again.wait(true);
      ASSERT_TRUE(again.picture() && again.picture()->whole) << s.change.name;
      EXPECT_EQ(grid_cost(*again.picture()->whole), s.after) << s.change.name;
      EXPECT_TRUE(s.helps);
      EXPECT_LT(goal_figure(s.after, advice->goal), goal_figure(advice->now, advice->goal));
    }
  }

  const std::string kKernels = LANESCOPE_SOURCE_DIR "/kernels";
  std::unique_ptr<Session> session_ = std::make_unique<Session>(load_catalog(kKernels));
};

TEST_F(AdviserTest, FindsThePaddingParameter) {
  Settings settings = *small_launch(session_->catalog(), "transpose/04_shared_tile_padded");
  settings.parameters["PAD"] = "0";
  open(settings);
  select("tile", AccessOp::load);
  ask();
  const Suggestion* padding = suggestion(ChangeKind::parameter);
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->change.name, "PAD");
  EXPECT_EQ(padding->change.value, "1");
  EXPECT_EQ(session_->advice()->now.shared.conflicts, 64u * 32 * 31);
  EXPECT_EQ(padding->after.shared.conflicts, 0u);
  EXPECT_EQ(padding->result, ResultState::correct);
  ASSERT_TRUE(padding->shared);
  EXPECT_EQ(padding->shared->stride_words, 33);
  EXPECT_EQ(padding->shared->divisor, 1);
  expect_all_hold();
}

TEST_F(AdviserTest, PaddingThatSuitsTheBlockShape) {
  Settings settings = *small_launch(session_->catalog(), "transpose/05_remapped");
  settings.parameters["PAD"] = "0";  // 32 x 8 blocks want 4, not 1
  open(settings);
  select("tile", AccessOp::load);
  ask();
  const Suggestion* padding = suggestion(ChangeKind::parameter);
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->change.value, "4");
  EXPECT_EQ(padding->after.shared.conflicts, 0u);
}

TEST_F(AdviserTest, EditsATextWithoutAPaddingParameter) {
  open("transpose/03_shared_tile");
  select("tile", AccessOp::load);
  ask();
  const Suggestion* padding = suggestion(ChangeKind::padding);
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->change.value, "tile[BDIMY][BDIMX + 1]");
  EXPECT_EQ(padding->after.shared.conflicts, 0u);
  EXPECT_EQ(padding->result, ResultState::correct);
  expect_all_hold();
  ASSERT_TRUE(suggestion(ChangeKind::kernel));
  EXPECT_EQ(suggestion(ChangeKind::kernel)->change.name, "transpose/04_shared_tile_padded");
}

TEST_F(AdviserTest, AFileWithoutFrontMatterIsComparedWithItself) {
  Settings settings = settings_of(R"cu(
__global__ void turn(const float* in, float* out) {
  __shared__ float cell[32][32];  // __shared__ float cell[1][1]
  cell[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = cell[threadIdx.x][threadIdx.y];
}
)cu");
  settings.block = Dim3{32, 32, 1};
  settings.grid = Dim3{1, 1, 1};
  settings.arguments = {{"in", "float[1024]"}, {"out", "float[1024]:poison"}};
  open(settings);
  select("cell", AccessOp::load);
  ask();
  const Suggestion* padding = suggestion(ChangeKind::padding);
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->change.value, "cell[32][32 + 1]");
  EXPECT_EQ(padding->after.shared.conflicts, 0u);
  EXPECT_EQ(padding->result, ResultState::same);
  expect_all_hold();
}

TEST_F(AdviserTest, SwapsThreadsThatRunDownAColumn) {
  Settings settings = settings_of(R"cu(
__global__ void copy(const float* in, float* out, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.x;
  int column = blockIdx.x * blockDim.x + threadIdx.y;
  out[row * n + column] = in[row * n + column];  // threadIdx.x runs down
}
)cu");
  settings.block = Dim3{16, 16, 1};
  settings.grid = Dim3{4, 4, 1};
  settings.arguments = {{"in", "float[4096]"}, {"out", "float[4096]:poison"}, {"n", "64"}};
  open(settings);
  select("in", AccessOp::load);
  ask();
  EXPECT_EQ(session_->advice()->goal, AdviceGoal::sectors);
  const Suggestion* swap = suggestion(ChangeKind::swap);
  ASSERT_TRUE(swap);
  EXPECT_EQ(swap->after.global.sectors, swap->after.global.ideal_sectors);
  EXPECT_EQ(swap->result, ResultState::same);
  EXPECT_NE(swap->change.settings.text.find("// threadIdx.x runs down"), std::string::npos);
}

TEST_F(AdviserTest, AnUncoalescedTransposeIsSentToAKernelThatIsNot) {
  open("transpose/01_naive_row");
  select("out", AccessOp::store);
  ask();
  EXPECT_EQ(session_->advice()->goal, AdviceGoal::sectors);
  const Suggestion* kernel = suggestion(ChangeKind::kernel);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->after.global.sectors, kernel->after.global.ideal_sectors);
  EXPECT_EQ(kernel->after.shared.conflicts, 0u);
  EXPECT_EQ(kernel->result, ResultState::correct);
  expect_all_hold();
}

TEST_F(AdviserTest, WhatBreaksTheResultIsNotSuggested) {
  // Two more elements a row, and the kernel writes them out: fewer conflicts, another result.
  Settings settings = settings_of(R"cu(
__global__ void odd(float* out) {
  __shared__ float cell[32][32];
  cell[threadIdx.x][threadIdx.y] = threadIdx.x + 32 * threadIdx.y;
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = cell[threadIdx.y][threadIdx.x] + sizeof(cell);
}
)cu");
  settings.block = Dim3{32, 32, 1};
  settings.grid = Dim3{1, 1, 1};
  settings.arguments = {{"out", "float[1024]:poison"}};
  open(settings);
  select("cell", AccessOp::store);
  ask();
  EXPECT_FALSE(suggestion(ChangeKind::padding));
  const auto& tried = session_->advice()->tried;
  ASSERT_EQ(std::count_if(tried.begin(), tried.end(),
                          [](const Suggestion& s) { return s.result == ResultState::wrong; }),
            1);
}

TEST_F(AdviserTest, NothingIsTriedWhereNothingIsLost) {
  open("transpose/04_shared_tile_padded");
  ask();
  EXPECT_EQ(session_->advice()->goal, AdviceGoal::none);
  EXPECT_TRUE(session_->advice()->suggestions.empty());
}

TEST_F(AdviserTest, NewerSettingsCancelIt) {
  open("transpose/03_shared_tile");
  select("tile", AccessOp::load);
  session_->apply(Action(RequestAdvice{}));
  session_->apply(Action(SetParameter{"BDIMX", "16"}));
  session_->wait(true);
  EXPECT_FALSE(session_->advice() && session_->advice()->finished);
}

TEST_F(AdviserTest, SwizzlesATileAndRunsIt) {
  open("transpose/03_shared_tile");
  select("tile", AccessOp::load);
  ask();
  const auto& counted = session_->advice()->swizzle;
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->formula, "column ^ (row & 31)");
  EXPECT_EQ(counted->accesses, 2u);
  EXPECT_EQ(counted->better.after.conflicts, 0u);
  const Suggestion* swizzle = suggestion(ChangeKind::swizzle);
  ASSERT_TRUE(swizzle);
  EXPECT_EQ(swizzle->change.name, "tile");
  EXPECT_EQ(swizzle->change.value, "Swizzle<5, 0, 5>");
  EXPECT_EQ(swizzle->after.shared.conflicts, 0u);
  EXPECT_EQ(swizzle->result, ResultState::correct);
  expect_all_hold();
}

TEST_F(AdviserTest, SwizzlesChunksForMatrices) {
  Settings settings = *open_kernel(session_->catalog(), "gemm/22_mma_padded").settings;
  settings.parameters["PAD"] = "0";
  open(settings);
  session_->apply(Action(SelectAccess{worst_access(*session_->picture())}));
  ask();
  const auto& counted = session_->advice()->swizzle;
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->formula, "chunk ^ (row & 7)");
  const Suggestion* swizzle = suggestion(ChangeKind::swizzle);
  ASSERT_TRUE(swizzle);
  EXPECT_EQ(swizzle->change.value, "Swizzle<3, 3, 3>");
  EXPECT_LT(swizzle->after.shared.conflicts, session_->advice()->now.shared.conflicts);
  EXPECT_EQ(swizzle->result, ResultState::correct);
}

TEST(SwizzleSubscripts, ChangesEveryReferenceOrNone) {
  const RowSwizzle rows{.row_shift = 0, .mask = 7, .unit = 8};
  const auto swizzled = [&](const std::string& text) {
    return swizzle_subscripts(text, "a", 2, rows).value_or("");
  };
  const std::string declaration = "__shared__ half a[64][64]; ";
  EXPECT_EQ(swizzled(declaration + "a[i][8 * c] = b[a[k][0]]; // a[1][2]"),
            declaration + "a[i][8 * c ^ (i & 7) * 8] = b[a[k][0 ^ (k & 7) * 8]]; // a[1][2]");
  EXPECT_EQ(swizzled(declaration + "f(a[i]);"), "");        // a row is handed on
  EXPECT_EQ(swizzled(declaration + "f(a);"), "");           // or all of it
  EXPECT_EQ(swizzled(declaration + "a[i++][0] = 1;"), "");  // computed twice
  EXPECT_EQ(swizzled(declaration + declaration + "a[0][0] = 1;"), "");
  EXPECT_EQ(swizzled(declaration), "");
  EXPECT_EQ(swizzled("a[i][j] = 1;"), "");
}

TEST(PadDeclaration, FindsTheLastExtent) {
  const auto padded = [](const std::string& text, const std::string& array, int padding = 1) {
    const auto result = pad_declaration(text, array, padding);
    return result ? result->text : "";
  };
  EXPECT_EQ(padded("__shared__ float a[4][8];", "a"), "__shared__ float a[4][8 + 1];");
  EXPECT_EQ(padded("__shared__ float b[2], a[4][ N ];", "a", 2),
            "__shared__ float b[2], a[4][N + 2];");
  EXPECT_EQ(padded("__shared__ float a[4][A ? B : C];", "a"),
            "__shared__ float a[4][(A ? B : C) + 1];");
  EXPECT_EQ(padded("__shared__ float a[32];", "a"), "");
  EXPECT_EQ(padded("float a[4][8];", "a"), "");
  EXPECT_EQ(padded("// __shared__ float a[4][8];", "a"), "");
  EXPECT_EQ(padded("__shared__ float aa[4][8]; int a[1][2];", "a"), "");
  EXPECT_EQ(pad_declaration("__shared__ float a[4][8][2];", "a", 1)->declarator, "a[4][8][2 + 1]");
}

}  // namespace
}  // namespace lanescope::app
