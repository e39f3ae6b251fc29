// Sums of products round once where nvcc's do. Each formula is a kernel of its own, because what else a
// product is used for counts; what is expected of each is what an H200 gave for such numbers.
#include <cmath>
#include <functional>
#include <random>

#include "run/run_text.h"

namespace lanescope {
namespace {

constexpr std::size_t kThreads = 256;

struct Sum {
  const char* name;
  const char* statements;  ///< They set x, and may set y, from a, b, c, d and p[0] to p[3].
  std::function<float(float a, float b, float c, float d, const float* p)> expected;
};

std::vector<float> numbers() {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> within(-1, 1);
  std::vector<float> out(4 * kThreads);
  for (float& x : out) x = within(random);
  return out;
}

class FusedProducts : public testing::TestWithParam<Sum> {};

TEST_P(FusedProducts, AreAsOnAGpu) {
  const float a = 0.729413f, b = -0.318072f, c = 0.551290f, d = 0.910734f;
  const auto p = numbers();
  const Outcome outcome = run_text(
      std::string(
          "__global__ void k(float a, float b, float c, float d, const float* ps, float* xs,"
          " float* ys) {\n"
          "  const float* p = ps + 4 * threadIdx.x;\n  float x = 0, y = 0;\n  ") +
          GetParam().statements + "\n  xs[threadIdx.x] = x; ys[threadIdx.x] = y;\n}\n",
      "k", {1, 1, 1}, {kThreads, 1, 1},
      {scalar("a", a), scalar("b", b), scalar("c", c), scalar("d", d), data("ps", p),
       buffer<float>("xs", kThreads), buffer<float>("ys", kThreads)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto got = outcome.values<float>("xs");
  std::size_t apart = 0;
  for (std::size_t t = 0; t < kThreads; ++t)
    apart += got[t] != GetParam().expected(a, b, c, d, &p[4 * t]);
  EXPECT_EQ(apart, 0u) << "of " << kThreads;
}

float rounded(float x) {
  volatile float kept = x;
  return kept;
}

const Sum kSums[] = {
    {"sum", "x = p[0] * p[1] + p[2];",
     [](auto, auto, auto, auto, auto p) { return std::fma(p[0], p[1], p[2]); }},
    {"difference", "x = p[0] * p[1] - p[2];",
     [](auto, auto, auto, auto, auto p) { return std::fma(p[0], p[1], -p[2]); }},
    {"subtracted", "x = p[2] - p[0] * p[1];",
     [](auto, auto, auto, auto, auto p) { return std::fma(-p[0], p[1], p[2]); }},
    {"negated", "x = -(p[0] * p[1]) - p[2];",
     [](auto, auto, auto, auto, auto p) { return std::fma(-p[0], p[1], -p[2]); }},
    {"first_of_two", "x = p[0] * p[1] + p[2] * p[3];",
     [](auto, auto, auto, auto, auto p) { return std::fma(p[0], p[1], rounded(p[2] * p[3])); }},
    // Arguments come before what is read, whichever stands first in the text.
    {"arguments_first", "x = p[0] * p[1] + a * b;",
     [](auto a, auto b, auto, auto, auto p) { return std::fma(a, b, rounded(p[0] * p[1])); }},
    {"minuend", "x = p[0] * p[1] - a * b;",
     [](auto a, auto b, auto, auto, auto p) { return std::fma(p[0], p[1], -rounded(a * b)); }},
    {"three", "x = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];",
     [](auto, auto, auto, auto, auto p) {
       return std::fma(p[2], p[2], std::fma(p[0], p[0], rounded(p[1] * p[1])));
     }},
    {"loop", "for (int i = 0; i < 4; ++i) x = x * a + p[i] * b;",
     [](auto a, auto b, auto, auto, auto p) {
       float x = 0;
       for (int i = 0; i < 4; ++i) x = std::fma(x, a, rounded(p[i] * b));
       return x;
     }},
    {"in_two_sums", "const float m = p[0] * p[1]; x = m + p[2]; y = m - p[3];",
     [](auto, auto, auto, auto, auto p) { return std::fma(p[0], p[1], p[2]); }},
    {"wanted_anyway", "const float m = p[0] * p[1]; x = m + p[2]; y = m * p[3];",
     [](auto, auto, auto, auto, auto p) { return rounded(p[0] * p[1]) + p[2]; }},
    {"told_to_round", "x = __fmul_rn(p[0], p[1]) + p[2];",
     [](auto, auto, auto, auto, auto p) { return rounded(p[0] * p[1]) + p[2]; }},
    {"told_to_add", "x = __fadd_rn(p[0] * p[1], p[2]);",
     [](auto, auto, auto, auto, auto p) { return rounded(p[0] * p[1]) + p[2]; }},
    {"doubles", "x = (double)p[0] * p[1] + 1e-9 * p[2];",
     [](auto, auto, auto, auto, auto p) {
       return static_cast<float>(std::fma(static_cast<double>(p[0]), static_cast<double>(p[1]),
                                          1e-9 * static_cast<double>(p[2])));
     }},
};
INSTANTIATE_TEST_SUITE_P(All, FusedProducts, testing::ValuesIn(kSums),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace lanescope
