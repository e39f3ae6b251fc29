#include "core/run/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/kernel/kernel_testing.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

template <class T>
Matrix matrix(const std::vector<T>& values, ScalarType type, std::uint64_t rows) {
  return {reinterpret_cast<const std::byte*>(values.data()), type, rows, values.size() / rows};
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

TEST(Reference, TransposeIsExactAndFindsTheFirstWrongElement) {
  const std::uint64_t rows = 70, cols = 45;
  const std::vector<float> in = counting(rows * cols);
  std::vector<float> out(in.size());
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
  }
  const auto compare = [&] {
    return compare_transpose(matrix(in, ScalarType::f32, rows), matrix(out, ScalarType::f32, cols));
  };
  EXPECT_FALSE(compare());
  out[40 * rows + 3] += 0.5f;
  out[2 * rows + 69] = -1;
  const auto wrong = compare();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->index, 2 * rows + 69);
  EXPECT_EQ(wrong->wrong, 2u);
  EXPECT_EQ(wrong->got, "-1");
  EXPECT_EQ(wrong->expected, std::to_string(69 * cols + 2));
}

TEST(Reference, NanIsNeverRight) {
  const std::vector<float> values = {1, NAN, 3};
  EXPECT_TRUE(compare_copy(matrix(values, ScalarType::f32, 1), matrix(values, ScalarType::f32, 1)));
  const std::vector<double> one = {1}, nan = {NAN};
  EXPECT_TRUE(compare_gemm(matrix(one, ScalarType::f64, 1), matrix(one, ScalarType::f64, 1),
                           matrix(nan, ScalarType::f64, 1)));
}

TEST(Reference, GemmAllowsRoundingAndNoMore) {
  const std::uint64_t m = 7, k = 200, n = 9;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (float& x : a) x = values(random);
  for (float& x : b) x = values(random);
  for (std::uint64_t i = 0; i < m; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) {
      float sum = 0;  // in float and backwards: rounded, but right
      for (std::uint64_t l = k; l-- > 0;) sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
  }
  const auto compare = [&] {
    return compare_gemm(matrix(a, ScalarType::f32, m), matrix(b, ScalarType::f32, k),
                        matrix(c, ScalarType::f32, m));
  };
  EXPECT_FALSE(compare());
  c[4 * n + 2] += a[4 * k + 5] * b[5 * n + 2] * 0.01f;  // a hundredth of one product
  const auto wrong = compare();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->index, 4 * n + 2);
}

TEST(Reference, IntegerGemmWraps) {
  const std::vector<std::int32_t> a = {1 << 30, 1 << 30}, b = {2, 2};
  std::vector<std::int32_t> c = {0};
  const auto compare = [&] {
    return compare_gemm(matrix(a, ScalarType::i32, 1), matrix(b, ScalarType::i32, 2),
                        matrix(c, ScalarType::i32, 1));
  };
  EXPECT_FALSE(compare());
  c[0] = 1;
  EXPECT_TRUE(compare());
}

CheckOutcome check_text(const std::string& text) {
  PrepareResult result = prepare(settings_of(text));
  EXPECT_TRUE(result.ready) << messages(result.diagnostics);
  if (!result.ready) return {};
  const RunResult ran = result.ready->execute({});
  EXPECT_TRUE(ran.ok()) << messages(ran.diagnostics);
  return check_result(*result.ready);
}

TEST(Reference, ChecksARun) {
  const CheckOutcome right = check_text(kTranspose);
  EXPECT_TRUE(right.check.checked);
  EXPECT_TRUE(right.check.correct) << right.check.message.english();
  EXPECT_FALSE(right.diagnostic);
}

TEST(Reference, WrongResultNamesTheElementAndTheStore) {
  const CheckOutcome wrong =
      check_text(replaced(kTranspose, "out[to] = cell[threadIdx.x][threadIdx.y]",
                          "out[to] = cell[threadIdx.x][threadIdx.y] + (to == 100)"));
  EXPECT_TRUE(wrong.check.checked);
  EXPECT_FALSE(wrong.check.correct);
  ASSERT_TRUE(wrong.diagnostic);
  EXPECT_EQ(wrong.diagnostic->kind, DiagnosticKind::wrong_result);
  EXPECT_NE(wrong.check.message.english().find("out[1][4] (row 1, column 4) is 258, expected 257"),
            std::string::npos)
      << wrong.check.message.english();
  EXPECT_EQ(wrong.diagnostic->line, 46u);
}

TEST(Reference, AnElementNobodyWritesIsWrong) {
  const CheckOutcome wrong =
      check_text(replaced(kTranspose, "jx < nx && jy < ny)", "jx < nx && jy < ny && to != 7)"));
  EXPECT_FALSE(wrong.check.correct);
  EXPECT_NE(wrong.check.message.english().find("column 7"), std::string::npos)
      << wrong.check.message.english();
}

TEST(Reference, InputsSpoiltByTheKernelDoNotCount) {
  std::string text = replaced(kTranspose, "out[to] = cell[threadIdx.x][threadIdx.y]",
                              "out[to] = 0.0f; else return; const_cast<float*>(in)[to] = 0.0f");
  EXPECT_FALSE(check_text(text).check.correct);
}

TEST(Reference, ShapesThatDoNotFitAreAWarning) {
  const CheckOutcome outcome =
      check_text(replaced(kTranspose, "shape = [\"nx\", \"ny\"]", "shape = [\"ny\", \"nx\"]"));
  EXPECT_FALSE(outcome.check.checked);
  ASSERT_TRUE(outcome.diagnostic);
  EXPECT_EQ(outcome.diagnostic->severity, Severity::warning);
}

}  // namespace
}  // namespace lanescope::app
