// Mathematical functions that only CUDA has, against the host's library or a definition of them.
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "run/run_text.h"

namespace lanescope {
namespace {

struct Function {
  const char* name;
  const char* expression;
  double (*expected)(double x);
  /// Relative; doubles of the device are computed by other formulas than the host's
  double tolerance = 4e-15;
};
constexpr double kPi = 3.14159265358979323846;

/// By definition: the value whose function it is, found by halving an interval.
double inverse(double (*f)(double), double y, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    ((f(middle) < y) == (f(low) < f(high)) ? low : high) = middle;
  }
  return (low + high) / 2;
}

// x runs through -4 .. 4 in odd fractions, u through 0 .. 1.
const Function kFunctions[] = {
    {"sinpi", "sinpi(x)", [](double x) { return std::sin(kPi * std::remainder(x, 2)); }, 1e-13},
    {"cospi", "cospi(x)",
     [](double x) { return std::sin(kPi * (0.5 - std::fabs(std::remainder(x, 2)))); }, 1e-13},
    {"sinpi whole", "sinpi(rint(x))", [](double x) { return std::copysign(0.0, x); }},
    {"sinpif", "sinpif((float)x)",
     [](double x) {
       return double{
           static_cast<float>(std::sin(kPi * std::remainder(double{static_cast<float>(x)}, 2)))};
     },
     1e-7},
    {"rcbrt", "rcbrt(x)", [](double x) { return 1 / std::cbrt(x); }},
    {"exp10", "exp10(x)", [](double x) { return std::pow(10, x); }},
    {"exp10f", "exp10f((float)x * 8)",
     [](double x) {
       return double{static_cast<float>(std::pow(10.0, double{static_cast<float>(x) * 8}))};
     },
     0},
    {"rsqrtf", "rsqrtf((float)(x * x))",
     [](double x) {
       return double{static_cast<float>(1 / std::sqrt(double{static_cast<float>(x * x)}))};
     },
     0},
    {"__expf", "__expf((float)x * 8)",
     [](double x) { return double{std::exp2(static_cast<float>(x) * 8 * 1.44269504f)}; }, 2e-7},
    {"__powf", "__powf((float)(x * x), 3.5f)",
     [](double x) { return double{std::exp2(3.5f * std::log2(static_cast<float>(x * x)))}; }, 2e-7},
    {"__fdividef", "__fdividef(7.0f, (float)x)",
     [](double x) { return double{7.0f * (1 / static_cast<float>(x))}; }, 0},
    {"__fdividef of much", "__fdividef((float)x, 1e38f)", [](double) { return 0.0; }},
    {"norm3d", "norm3d(x, 2 * x, -3.5)", [](double x) { return std::hypot(x, 2 * x, 3.5); }},
    {"norm4d", "norm4d(x, 1.0, 2.0, 4.0)", [](double x) { return std::sqrt(x * x + 21); }},
    {"rhypot", "rhypot(x, 3.0)", [](double x) { return 1 / std::hypot(x, 3); }},
    {"frexp", "([&] { int e; double m = frexp(x * 1e-310, &e); return m + e; }())",
     [](double x) {
       int e;
       const double m = std::frexp(x * 1e-310, &e);
       return m + e;
     }},
    {"ilogb", "ilogb(x) + logb(x * 1e300) + ilogbf((float)x)",
     [](double x) {
       return std::ilogb(x) + std::logb(x * 1e300) + std::ilogb(static_cast<float>(x));
     }},
    {"scalbn", "scalbn(x, -1070) + scalbn(x, 900) * 1e-260",
     [](double x) { return std::scalbn(x, -1070) + std::scalbn(x, 900) * 1e-260; }},
    {"scalbn small", "scalbn(x, -1071)", [](double x) { return std::scalbn(x, -1071); }, 0},
    {"scalbnf", "scalbnf((float)x, -147)",
     [](double x) { return double{std::scalbn(static_cast<float>(x), -147)}; }, 0},
    {"modf", "([&] { double w; double f = modf(x, &w); return f * 100 + w; }())",
     [](double x) {
       double w;
       const double f = std::modf(x, &w);
       return f * 100 + w;
     }},
    {"remquo", "([&] { int q; double r = remquo(x * 7, 1.25, &q); return r * 100 + q; }())",
     [](double x) {
       int q;
       const double r = std::remquo(x * 7, 1.25, &q);
       return r * 100 + std::copysign(std::abs(q) & 7, q);
     }},
    {"nextafter", "nextafter(x, 9.0) - x + (nextafterf((float)x, -9.0f) - (float)x)",
     [](double x) {
       const float f = static_cast<float>(x);
       return std::nextafter(x, 9.0) - x + double{std::nextafter(f, -9.0f) - f};
     },
     0},
    {"nextafter 0", "nextafter(0.0, x) + nextafterf(0.0f, (float)x)",
     [](double x) {
       return std::nextafter(0.0, x) + double{std::nextafter(0.0f, static_cast<float>(x))};
     },
     0},
    {"normcdf", "normcdf(x)", [](double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }, 1e-14},
    {"normcdfinv", "normcdfinv(u)",
     [](double x) {
       const double u = (x + 4) / 8;
       return inverse([](double v) { return std::erfc(-v * std::sqrt(0.5)) / 2; }, u, -9, 9);
     },
     1e-12},
    {"erfinv", "erfinv(x / 4)",
     [](double x) { return inverse([](double v) { return std::erf(v); }, x / 4, -4, 4); }, 1e-12},
    {"erfcinv", "erfcinv(2 * u)",
     [](double x) { return inverse([](double v) { return std::erfc(v); }, (x + 4) / 4, -4, 4); },
     1e-12},
    {"erfcinv far", "erfcinv(pow(10.0, -30 * u) * 1e-3)",
     [](double x) {
       return inverse([](double v) { return std::erfc(v); },
                      std::pow(10.0, -30 * ((x + 4) / 8)) * 1e-3, 0, 20);
     },
     1e-12},
    {"erfcx", "erfcx(x)",
     [](double x) {
       return static_cast<double>(std::exp(static_cast<long double>(x) * x) *
                                  std::erfc(static_cast<long double>(x)));
     },
     1e-13},
    {"erfcx far", "erfcx(12 + x)",
     [](double x) {
       const long double v = 12.0L + x;
       return static_cast<double>(std::exp(v * v) * std::erfc(v));
     },
     1e-13},
    {"llround", "(double)(llround(x * 1e10) + llrint(x) + llroundf((float)x))",
     [](double x) {
       return static_cast<double>(std::llround(x * 1e10) + std::llrint(x) +
                                  std::llround(static_cast<float>(x)));
     }},
    {"hiloint", "__hiloint2double(__double2hiint(x), __double2loint(x))",
     [](double x) { return x; }, 0},
    {"frsqrt", "__frsqrt_rn((float)(x * x + 1))",
     [](double x) {
       return double{static_cast<float>(1 / std::sqrt(double{static_cast<float>(x * x + 1)}))};
     },
     0},
    {"minmax",
     "max(min((float)x, 2.0), nan(\"\")) + max(-1ll, 1ull) * 0 + fmaxf(nanf(\"\"), (float)x)",
     [](double x) {
       return std::min(double{static_cast<float>(x)}, 2.0) + double{static_cast<float>(x)};
     },
     0},
};

TEST(Functions, AreWhatTheHostComputes) {
  constexpr std::uint32_t kArguments = 96;
  std::string text = "__global__ void k(double* out) {\n int t = threadIdx.x; double x = -4 + (t + "
                     "0.5) / 12, u = (x + 4) / 8;\n";
  for (std::size_t i = 0; i < std::size(kFunctions); ++i)
    text += " out[" + std::to_string(i * kArguments) + " + t] = " + kFunctions[i].expression + ";\n";
  const Outcome outcome = run_text(text + "}", "k", {1, 1, 1}, {kArguments, 1, 1},
                                   {buffer<double>("out", std::size(kFunctions) * kArguments)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto got = outcome.values<double>("out");
  for (std::size_t i = 0; i < std::size(kFunctions); ++i)
    for (std::uint32_t t = 0; t < kArguments; ++t) {
      const double want = kFunctions[i].expected(-4 + (t + 0.5) / 12),
                   value = got[i * kArguments + t];
      if (std::fabs(value - want) <= kFunctions[i].tolerance * std::max(std::fabs(want), 1e-300))
        continue;
      ADD_FAILURE() << kFunctions[i].name << "(" << -4 + (t + 0.5) / 12 << "): got " << value
                    << ", expected " << want;
      break;
    }
}

/// What an H200 gives, where that is not the nearest float: f((n - 512) / 64 + 0.0037).
struct Reading {
  std::uint32_t n, bits;
};
TEST(Functions, SineCosineAndLogarithmAreAnH200s) {
  constexpr Reading kReadings[3][6] = {{{43, 0xbf5cef9e},
                                        {165, 0x3f42d792},
                                        {355, 0xbf236192},
                                        {554, 0x3f1cf2a4},
                                        {680, 0x3efb3d00},
                                        {867, 0xbf2b374f}},
                                       {{7, 0xbd06e99c},
                                        {189, 0x3ea64a72},
                                        {332, 0xbf71f449},
                                        {481, 0x3f62fda9},
                                        {653, 0xbf1810bd},
                                        {823, 0x3e19b810}},
                                       {{6, 0x40044cc5},
                                        {215, 0x3fc45bcc},
                                        {409, 0x3ef27464},
                                        {553, 0xbee10cf6},
                                        {683, 0x3f7bf232},
                                        {845, 0x3fd3323a}}};
  constexpr std::uint32_t kArguments = 1024;
  const Outcome outcome = run_text(R"(
__global__ void k(float* out) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  float x = (n - 512) / 64.0f + 0.0037f;
  out[n] = sinf(x); out[1024 + n] = cosf(x); out[2048 + n] = logf(fabsf(x));
  out[3072 + n] = sinf(x * 1e8f); out[4096 + n] = cosf(x * 1e8f);
})",
                                   "k", {8, 1, 1}, {128, 1, 1}, {buffer<float>("out", 5 * kArguments)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto got = outcome.values<float>("out");
  for (std::size_t f = 0; f < 3; ++f)
    for (const Reading& reading : kReadings[f])
      EXPECT_EQ(std::bit_cast<std::uint32_t>(got[f * kArguments + reading.n]), reading.bits)
          << "function " << f << " of number " << reading.n;
  for (std::uint32_t n = 0; n < kArguments; ++n) {
    const float x = (static_cast<float>(static_cast<int>(n) - 512) / 64.0f + 0.0037f) * 1e8f;
    EXPECT_NEAR(got[3 * kArguments + n], std::sin(double{x}), 1.2e-7);
    EXPECT_NEAR(got[4 * kArguments + n], std::cos(double{x}), 1.2e-7);
  }
}

TEST(Functions, SineAndLogarithmAtTheEdges) {
  const Outcome outcome =
      run_text(R"(
__global__ void k(float inf, float* out) {
  out[0] = sinf(inf); out[1] = cosf(-inf); out[2] = logf(inf); out[3] = logf(-1.0f / inf);
  out[4] = logf(-inf); out[5] = logf(inf - inf); out[6] = logf(1.0f / inf + 1e-40f); out[7] = sinf(-1.0f / inf);
})",
               "k", {1, 1, 1}, {1, 1, 1},
               {TextArgument{{"inf", "INFINITY", ""}, {}, {}}, buffer<float>("out", 8)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto got = outcome.values<float>("out");
  EXPECT_TRUE(std::isnan(got[0]) && std::isnan(got[1]) && std::isnan(got[4]) && std::isnan(got[5]));
  EXPECT_EQ(got[2], HUGE_VALF);
  EXPECT_EQ(got[3], -HUGE_VALF);
  EXPECT_FLOAT_EQ(got[6], -92.103401f);
  EXPECT_TRUE(got[7] == 0 && std::signbit(got[7]));
}

TEST(Functions, Constants) {
  const char* text = R"(
#include <math_constants.h>
__global__ void k(double* out) { out[0] = CUDART_PI; out[1] = CUDART_PI_F; out[2] = CUDART_INF_F; out[3] = CUDART_LN2; out[4] = CUDART_SQRT_HALF_F; out[5] = CUDART_NAN_F; out[6] = CUDART_L2E; out[7] = -CUDART_INF; })";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {1, 1, 1}, {buffer<double>("out", 8)});
  expect_each<double>(
      outcome, "out",
      [](std::size_t i) {
        return std::array{kPi,
                          double{static_cast<float>(kPi)},
                          HUGE_VAL,
                          std::log(2.0),
                          double{static_cast<float>(std::sqrt(0.5))},
                          std::numeric_limits<double>::quiet_NaN(),
                          1 / std::log(2.0),
                          -HUGE_VAL}[i];
      },
      3e-16);
}

}  // namespace
}  // namespace lanescope
