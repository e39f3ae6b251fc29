// What a kernel's matrix instructions held is what its buffers hold.
#include "core/matrix/recorded_instruction.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/matrix/group_places.h"
#include "core/session/session.h"
#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

constexpr int kN = 64, kK = 16;

class RecordedInstructionTest : public testing::Test {
 protected:
  void SetUp() override {
    open("gemm/21_mma", {{"BM", "64"}, {"BN", "64"}, {"BK", "16"}, {"WM", "32"}, {"WN", "32"}}, 64,
         64, 16);
  }
  void open(const char* kernel, std::map<std::string, std::string> parameters, int m, int n,
            int k) {
    Settings settings = *open_kernel(session_.catalog(), kernel).settings;
    settings.parameters = std::move(parameters);
    settings.arguments = {
        {"M", std::to_string(m)}, {"N", std::to_string(n)}, {"K", std::to_string(k)}};
    session_.apply(settings);
    session_.wait(true);
    picture_ = session_.picture();
    ASSERT_NE(picture_, nullptr);
    ASSERT_NE(picture_->trace(), nullptr);
  }
  // The first of a kind that warp 0 executes.
  [[nodiscard]] std::optional<RecordedInstruction> first(MatrixOperation operation) const {
    const WarpTrack& track = picture_->trace()->warps[0];
    for (std::size_t step = 0; step < track.size(); ++step) {
      auto found = recorded_instruction(*picture_, 0, step);
      if (found && found->instruction.operation == operation) return found;
    }
    return std::nullopt;
  }
  static std::uint64_t filled(int index) {
    return filled_bits(ScalarType::f16, Fill::random, static_cast<std::uint64_t>(index));
  }

  Session session_{load_catalog(LANESCOPE_SOURCE_DIR "/kernels")};
  PicturePtr picture_;
};

TEST_F(RecordedInstructionTest, AMultiplicationHoldsTheTilesOfItsMatrices) {
  const auto found = first(MatrixOperation::multiply);
  ASSERT_TRUE(found);
  EXPECT_EQ(instruction_name(found->instruction), "mma m16n8k16 f32.f16.f16.f32");
  EXPECT_TRUE(found->values.recorded);
  const auto panels = panels_of(found->instruction);
  const MatrixOperands& held = found->values.operands;
  for (int k = 0; k < 16; ++k) {
    for (int row = 0; row < 16; ++row)
      ASSERT_EQ(panels[0].bits(held.a, {row, k}), filled(row * kK + k)) << row << " " << k;
    for (int column = 0; column < 8; ++column)
      ASSERT_EQ(panels[1].bits(held.b, {k, column}), filled(k * kN + column)) << k << " " << column;
  }
  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += element_value(MatrixType::f16, filled(3 * kK + k)) *
           element_value(MatrixType::f16, filled(k * kN + 5));
  EXPECT_EQ(panels[2].bits(held.c, {3, 5}), 0u);
  EXPECT_NEAR(element_value(MatrixType::f32, panels[2].bits(found->values.d, {3, 5})), sum, 1e-5);
}

TEST_F(RecordedInstructionTest, ALoadHoldsItsMatricesAndTheAddressesOfTheirRows) {
  const auto found = first(MatrixOperation::load);
  ASSERT_TRUE(found);
  EXPECT_EQ(instruction_name(found->instruction), "ldmatrix.x4");
  const auto panels = panels_of(found->instruction);
  for (int matrix = 0; matrix < 4; ++matrix)
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column)
        ASSERT_EQ(
            panels[static_cast<std::size_t>(matrix)].bits(found->values.operands.a, {row, column}),
            filled((matrix % 2 * 8 + row) * kK + matrix / 2 * 8 + column));
  ASSERT_TRUE(found->values.address);
  EXPECT_EQ((*found->values.address)[3] - (*found->values.address)[2], kK * 2u);
}

TEST_F(RecordedInstructionTest, AGroupsProductHoldsItsTilesAndTheNextOneAddsToItsSums) {
  constexpr int kColumns = 256, kDepth = 64;
  open("gemm/25_wgmma", {{"BM", "128"}, {"BN", "256"}}, 128, kColumns, kDepth);
  std::vector<RecordedInstruction> found;
  const std::uint32_t warp = 1;
  for (std::size_t step = 0; step < picture_->trace()->warps[warp].size(); ++step)
    if (auto one = recorded_instruction(*picture_, warp, step); one && one->group)
      found.push_back(std::move(*one));
  ASSERT_GE(found.size(), 2u);
  for (int block = 0; block < kColumns / 8; ++block)
    for (int k = 0; k < 16; ++k) {
      for (int row = 0; row < 16; ++row)
        ASSERT_EQ(group_element(*found[0].group, found[0].values.operands, MatrixRole::a, row, k),
                  filled((16 * static_cast<int>(warp) + row) * kDepth + k));
      ASSERT_EQ(
          group_element(*found[0].group, found[0].values.operands, MatrixRole::b, 8 * block + 3, k),
          filled(k * kColumns + 8 * block + 3));
    }
  // What was multiplied anew for the picture is what the run computed, for it added to that.
  ASSERT_EQ(found[0].values.d.size(), found[1].values.operands.c.size());
  EXPECT_EQ(found[0].values.d, found[1].values.operands.c);
  const FragmentPanel d = panels_of(found[0].instruction).back();
  const MatrixElement at{5, 29};
  const MatrixSum sum =
      matrix_sum(form_of_warp(found[1].instruction.form),
                 operands_of_columns(found[1].instruction.form, found[1].values.operands, 29 / 8),
                 {5, 29 % 8});
  EXPECT_EQ(sum.bits, d.bits(found[1].values.d, at));
  EXPECT_NE(sum.result, 0);
}

TEST_F(RecordedInstructionTest, TheNearestStepIsTheLastBefore) {
  const auto found = first(MatrixOperation::load);
  ASSERT_TRUE(found);
  EXPECT_EQ(nearest_matrix_step(*picture_, 0, 0), found->step);
  EXPECT_EQ(nearest_matrix_step(*picture_, 0, found->step), found->step);
  const std::size_t end = picture_->trace()->warps[0].size();
  const auto last = nearest_matrix_step(*picture_, 0, end);
  ASSERT_TRUE(last);
  EXPECT_TRUE(recorded_instruction(*picture_, 0, *last));
  EXPECT_FALSE(recorded_instruction(*picture_, 0, end - 1));
  EXPECT_FALSE(nearest_matrix_step(*picture_, 99, 0));
}

}  // namespace
}  // namespace lanescope::app
