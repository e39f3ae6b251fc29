// What is told of a sum gives the very bits that the instruction gives.
#include "lanescope/matrix_sum.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace lanescope {
namespace {

std::vector<LaneRow> random_rows(const MatrixForm& form, MatrixRole role, std::mt19937& random,
                                 bool bits) {
  const Fragment fragment(form, role);
  std::vector<LaneRow> rows(static_cast<std::size_t>(fragment.registers()), LaneRow{});
  std::uniform_real_distribution<double> number(-4, 4);
  const int width = 32 / fragment.parts();
  for (LaneRow& row : rows)
    for (std::uint64_t& lane : row)
      for (int part = 0; part < fragment.parts(); ++part)
        lane |= (bits ? random() & ((std::uint64_t{1} << width) - 1)
                      : element_from_value(form.type(role), number(random)))
                << (part * width);
  return rows;
}

MatrixOperands random_operands(const MatrixForm& form, std::mt19937& random, bool bits) {
  return {random_rows(form, MatrixRole::a, random, bits),
          random_rows(form, MatrixRole::b, random, bits),
          random_rows(form, MatrixRole::accumulator, random, bits)};
}

// Toward zero to float; or to nearest even to half.
double accumulated(MatrixType type, double exact) {
  auto cut = static_cast<float>(exact);
  if (std::abs(double{cut}) > std::abs(exact)) cut = std::nextafter(cut, 0.0f);
  if (type == MatrixType::f32) return cut;
  if (double{cut} != exact) cut = std::bit_cast<float>(std::bit_cast<std::uint32_t>(cut) | 1);
  return element_value(MatrixType::f16, element_from_value(MatrixType::f16, cut));
}

// The terms, added as the header says.
double added(const MatrixForm& form, const MatrixSum& sum) {
  double whole = 0;
  const bool steps = matrix_type_bits(form.a) == 8 && form.accumulator != MatrixType::s32;
  for (const MatrixTerm& term : sum.terms)
    if (!steps || term.step == 1) whole += term.kept;
  if (form.accumulator == MatrixType::s32)
    return static_cast<std::int32_t>(static_cast<std::int64_t>(whole));
  whole = accumulated(form.accumulator, whole);
  if (!steps) return whole;
  const auto last = static_cast<float>(whole) + static_cast<float>(sum.terms.back().kept);
  return element_value(form.accumulator, element_from_value(form.accumulator, last));
}

TEST(MatrixSum, ItsTermsGiveTheInstructionsBits) {
  std::mt19937 random(7);
  int compared = 0, cut = 0;
  for (const MatrixForm& form : known_forms()) {
    // Fused, one after the other: no exact terms
    if (form.accumulator == MatrixType::f64 || form.of_quads()) continue;
    const Fragment c(form, MatrixRole::accumulator);
    for (const bool bits : {false, true}) {
      const MatrixOperands operands = random_operands(form, random, bits);
      const std::vector<LaneRow> d = multiply(form, operands);
      for (int row = 0; row < c.rows(); row += 3)
        for (int column = 0; column < c.columns(); ++column) {
          const MatrixSum sum = matrix_sum(form, operands, {row, column});
          ASSERT_EQ(sum.bits, element_bits(c, d, {row, column}));
          if (!std::isfinite(sum.result)) continue;
          ++compared;
          for (const MatrixTerm& term : sum.terms) cut += term.cut();
          ASSERT_EQ(added(form, sum), sum.result)
              << matrix_shape_name(form.shape) << " " << matrix_type_name(form.a) << " row " << row
              << " column " << column;
        }
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(cut, 100);
}

// 1 + 2^-25 + 2^-26: the first small product is kept, the second is not.
TEST(MatrixSum, WhatLiesBelowTheLastKeptBitIsCut) {
  const MatrixForm form{{16, 8, 16}, MatrixType::bf16, MatrixType::bf16, MatrixType::f32};
  MatrixOperands operands{std::vector<LaneRow>(4), std::vector<LaneRow>(2),
                          std::vector<LaneRow>(4)};
  const auto one = element_from_value(MatrixType::bf16, 1);
  const Fragment a(form, MatrixRole::a), b(form, MatrixRole::b);
  for (int k = 0; k < 3; ++k) {
    const FragmentSlot at_a = a.slot({0, k}), at_b = b.slot({k, 0});
    const double small = k == 0 ? 1 : std::ldexp(1.0, -24 - k);
    operands.a[static_cast<std::size_t>(at_a.reg)][static_cast<std::size_t>(at_a.lane)] |=
        element_from_value(MatrixType::bf16, small) << (16 * at_a.part);
    operands.b[static_cast<std::size_t>(at_b.reg)][static_cast<std::size_t>(at_b.lane)] |=
        one << (16 * at_b.part);
  }
  const MatrixSum sum = matrix_sum(form, operands, {0, 0});
  ASSERT_EQ(sum.terms.size(), 17u);
  EXPECT_EQ(sum.terms[0].k, MatrixTerm::kStart);
  EXPECT_EQ(sum.exponents, (std::vector<std::optional<int>>{0}));
  EXPECT_EQ(sum.terms[2].kept, std::ldexp(1.0, -25));
  EXPECT_EQ(sum.terms[3].kept, 0);
  EXPECT_TRUE(sum.terms[3].cut());
  EXPECT_EQ(sum.result, 1);
  EXPECT_EQ(sum.plain, 1);
}

TEST(MatrixSum, NumbersBecomeBitsAndBack) {
  using enum MatrixType;
  for (const MatrixType type : {f16, bf16, tf32, e4m3, e5m2, f32, f64, s8, s32})
    for (const double value : {0.0, 1.0, -2.0, 5.0, -7.0})
      EXPECT_EQ(element_value(type, element_from_value(type, value)), value)
          << matrix_type_name(type) << " " << value;
  EXPECT_EQ(element_value(s4, element_from_value(s4, -3)), -3);
  EXPECT_EQ(element_value(u8, 0xFF), 255);
  EXPECT_TRUE(std::isnan(element_value(e4m3, 0x7F)));
}

}  // namespace
}  // namespace lanescope
