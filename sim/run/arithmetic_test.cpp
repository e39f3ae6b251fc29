// Each formula is one text: the simulator compiles it as CUDA, the host's compiler as C++, and
// every lane must agree. All formulas of a type go into one kernel, a row of `out` each.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "run/run_text.h"

namespace lanescope {
namespace {

constexpr int kCount = 256;

/// What a formula may name: its inputs x, y, the thread number t, and the launch's own p (a power
/// of two) and q (not one), which no compiler can know.
template <class T>
struct Formula {
  const char* text;
  T (*host)(T x, T y, int t, T p, T q);
};
#define FORMULA(...)                                                                               \
  Formula<T> {                                                                                     \
#__VA_ARGS__,                                                                                  \
        []([[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] int t,                     \
           [[maybe_unused]] T p, [[maybe_unused]] T q) { return static_cast<T>(__VA_ARGS__); }     \
  }

template <class T>
std::string kernel_of(const std::vector<Formula<T>>& formulas) {
  const std::string type(scalar_name(scalar_type_of<T>()));
  std::string text = "using T = " + type + ";\n";
  if constexpr (std::is_integral_v<T>)
    text +=
        "using U = " + std::string(scalar_name(scalar_type_of<std::make_unsigned_t<T>>())) + ";\n";
  text += "__global__ void k(const T* a, const T* b, T* out, T p, T q) {\n"
          "  int t = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;\n"
          "  T x = a[t], y = b[t];\n";
  for (std::size_t f = 0; f < formulas.size(); ++f)
    text += "  out[" + std::to_string(f) + " * n + t] = (T)(" + formulas[f].text + ");\n";
  return text + "}\n";
}

template <class T>
void check(const std::vector<Formula<T>>& formulas, const std::vector<T>& x,
           const std::vector<T>& y, T p, T q, double tolerance = 0) {
  const Outcome outcome =
      run_text(kernel_of(formulas), "k", {2, 1, 1}, {kCount / 2, 1, 1},
               {data("a", x), data("b", y), buffer<T>("out", formulas.size() * kCount),
                scalar("p", p), scalar("q", q)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const std::span<T> out = outcome.values<T>("out");
  for (std::size_t f = 0; f < formulas.size(); ++f)
    for (std::size_t i = 0; i < kCount; ++i) {
      const T want = formulas[f].host(x[i], y[i], static_cast<int>(i), p, q),
              got = out[f * kCount + i];
      bool same = got == want;
      if constexpr (std::is_floating_point_v<T>) {
        same = same || (std::isnan(got) && std::isnan(want)) ||
               std::abs(got - want) <= tolerance * std::abs(want);
        if (got == 0 && want == 0) same = std::signbit(got) == std::signbit(want);
      }
      ASSERT_TRUE(same) << formulas[f].text << " with x=" << +x[i] << " y=" << +y[i] << " t=" << i
                        << ": got " << +got << ", expected " << +want;
    }
}

// ---- integers ----

/// Corner values first, then a mix of small and of full-width numbers.
template <class T>
std::vector<T> integers(std::uint64_t seed, bool divisor) {
  using L = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           1,
                           L::min(),
                           L::max(),
                           static_cast<T>(-1),
                           2,
                           7,
                           static_cast<T>(L::max() - 1),
                           static_cast<T>(L::min() + 1)};
  for (std::uint64_t i = 0; values.size() < kCount; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t bits = seed >> 17 ^ seed << 40;
    values.push_back(static_cast<T>(i % 3 == 0 ? bits % 100 : bits));
  }
  for (T& v : values)
    if (divisor && (v == 0 || v == static_cast<T>(-1)))
      v = 3;  // 0, and min / -1, are undefined on the host
  return values;
}

template <class T>
std::vector<Formula<T>> integer_formulas() {
  using U [[maybe_unused]] = std::make_unsigned_t<T>;
  return {
      FORMULA(T(U(x) + U(y))),
      FORMULA(T(U(x) - U(y))),
      FORMULA(T(1u * U(x) * U(y))),
      FORMULA(T(1u * U(x) * U(x) + U(y))),
      FORMULA(x / y),
      FORMULA(x % y),
      FORMULA(x / 8),
      FORMULA(x % 8),
      FORMULA(x / 7),
      FORMULA(x % 7),
      FORMULA(x / 1),
      FORMULA(x % 1),
      FORMULA(x / p),
      FORMULA(x % p),
      FORMULA(x / q),
      FORMULA(x % q),
      FORMULA(t / p),
      FORMULA(t % q),
      FORMULA(x & y),
      FORMULA(x | y),
      FORMULA(x ^ y),
      FORMULA(~x),
      FORMULA([&] {
        T r;
        return __builtin_add_overflow(x, y, &r) ? T(1) : r;
      }()),
      FORMULA([&] {
        T r;
        return __builtin_sub_overflow(x, y, &r) ? T(1) : r;
      }()),
      FORMULA([&] {
        T r;
        return __builtin_mul_overflow(x, y, &r) ? T(1) : r;
      }()),
      FORMULA(T(U(0) - U(x))),
      FORMULA(T(U(x) << (t % 8))),
      FORMULA(x >> (t % 8)),
      FORMULA(T(U(x) << 3)),
      FORMULA(x >> 3),
      FORMULA(x >> (t % int(8 * sizeof(T)))),
      FORMULA(T(1ull * U(x) << (t % int(8 * sizeof(T))))),
      FORMULA(U(x) >> (t % int(8 * sizeof(T)))),
      FORMULA(T(U(x) << 5 | U(x) >> (8 * sizeof(T) - 5))),
      FORMULA(x < y),
      FORMULA(x <= y),
      FORMULA(x > y),
      FORMULA(x >= y),
      FORMULA(x == y),
      FORMULA(x != y),
      FORMULA(U(x) < U(y)),
      FORMULA(x < 0),
      FORMULA(x > 5 && y > 5),
      FORMULA(x > 5 || t % 3 == 0),
      FORMULA(!x),
      FORMULA(!!x),
      FORMULA(x < y ? x : y),
      FORMULA(x < y ? y : x),
      FORMULA((t & 1) ? x : y),
      FORMULA(x == 7   ? 1
              : y == 7 ? 2
                       : 3),
      FORMULA((signed char)x),
      FORMULA((unsigned char)x),
      FORMULA((short)x),
      FORMULA((unsigned short)x),
      FORMULA((int)x),
      FORMULA((unsigned)x),
      FORMULA((long long)x),
      FORMULA((unsigned long long)x),
      FORMULA(bool(x)),
      FORMULA((signed char)(x ^ y) < 0),
      FORMULA((unsigned short)x >> 3),
      FORMULA((short)x >> 3),
      FORMULA(float(x % T(100)) / 4),
      FORMULA(double(x % T(100)) * 1.5),
      FORMULA((long long)x % 1000003 + t),
      FORMULA((x & 15) * (y & 7) + (t & 3)),
  };
}

template <class T>
class Integers : public testing::Test {};
using IntegerTypes = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                    std::int32_t, std::uint32_t, long long, unsigned long long>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

TYPED_TEST(Integers, EveryFormulaEqualsTheHosts) {
  using T = TypeParam;
  check<T>(integer_formulas<T>(), integers<T>(1, false), integers<T>(99, true), T{16}, T{12});
  check<T>(integer_formulas<T>(), integers<T>(5, false), integers<T>(77, true), T{64}, T{125});
}

TEST(IntegerIntrinsics, EqualTheirDefinitions) {
  const std::vector<std::uint32_t> x = integers<std::uint32_t>(3, false);
  const char* text = R"(
__global__ void k(const unsigned* in, long long* out) {
  int t = threadIdx.x, n = blockDim.x;
  unsigned x = in[t];
  unsigned long long w = (unsigned long long)x << 20 | x >> 3;
  long long r[] = {__clz(x), __popc(x), __ffs(x), (long long)__brev(x), __clzll(w), __popcll(w), __ffsll(w), (long long)__brevll(w),
                   __mulhi((int)x, 1 << 20), (long long)__umulhi(x, 0x89abcdefu), (long long)__umul24(x, 77), abs((int)(x >> 1) - 1000),
                   min((int)x, 5), (long long)max(x, 5u), (long long)__byte_perm(x, ~x, 0x3175), llabs((long long)w - (1ll << 40)), min((long long)w, 1ll << 30)};
  for (int i = 0; i < 17; ++i) out[i * n + t] = r[i];
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {kCount, 1, 1},
                                   {data("in", x), buffer<long long>("out", 17 * kCount)});
  const auto reversed = [](std::uint64_t v, int bits) {
    std::uint64_t r = 0;
    for (int b = 0; b < bits; ++b) r |= (v >> b & 1) << (bits - 1 - b);
    return r;
  };
  const auto permuted = [](std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
    std::uint32_t r = 0;
    for (unsigned byte = 0; byte < 4; ++byte) {
      const unsigned pick = selector >> 4 * byte & 7;
      r |= ((pick < 4 ? a >> 8 * pick : b >> 8 * (pick - 4)) & 0xff) << 8 * byte;
    }
    return r;
  };
  expect_each<long long>(outcome, "out", [&](std::size_t i) -> long long {
    const std::uint32_t v = x[i % kCount];
    const std::uint64_t w = std::uint64_t{v} << 20 | v >> 3;
    const auto s = static_cast<std::int32_t>(v);
    switch (i / kCount) {
    case 0:
      return std::countl_zero(v);
    case 1:
      return std::popcount(v);
    case 2:
      return v == 0 ? 0 : std::countr_zero(v) + 1;
    case 3:
      return static_cast<long long>(reversed(v, 32));
    case 4:
      return std::countl_zero(w);
    case 5:
      return std::popcount(w);
    case 6:
      return w == 0 ? 0 : std::countr_zero(w) + 1;
    case 7:
      return static_cast<long long>(reversed(w, 64));
    case 8:
      return static_cast<long long>(s) * (1 << 20) >> 32;
    case 9:
      return static_cast<long long>(std::uint64_t{v} * 0x89abcdefu >> 32);
    case 10:
      return static_cast<std::uint32_t>((v & 0xffffff) * 77);
    case 11:
      return std::abs(static_cast<int>(v >> 1) - 1000);
    case 12:
      return std::min(s, 5);
    case 13:
      return std::max(v, 5u);
    case 14:
      return permuted(v, ~v, 0x3175);
    case 15:
      return std::llabs(static_cast<long long>(w) - (1ll << 40));
    default:
      return std::min(static_cast<long long>(w), 1ll << 30);
    }
  });
}

// ---- floating point ----

template <class T>
std::vector<T> reals(std::uint64_t seed, bool corners) {
  using L = std::numeric_limits<T>;
  std::vector<T> values;
  if (corners)
    values = {T(0),  T(-0.0),  L::infinity(), -L::infinity(),  L::quiet_NaN(), T(1),
              T(-1), L::max(), L::min(),      L::denorm_min(), T(0.5)};
  while (values.size() < kCount) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    values.push_back(static_cast<T>(static_cast<double>(seed >> 40) / (1 << 20) - 8));
  }
  if (corners)
    std::rotate(values.begin(), values.begin() + static_cast<long>(seed >> 40) % kCount,
                values.end());
  return values;
}

template <class T>
class Reals : public testing::Test {};
using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Reals, RealTypes);

TYPED_TEST(Reals, ArithmeticAndComparisonsEqualTheHostsBitForBit) {
  using T = TypeParam;
  const std::vector<Formula<T>> formulas = {
      FORMULA(x + y),
      FORMULA(x - y),
      FORMULA(x * y),
      FORMULA(x / y),
      FORMULA(-x),
      FORMULA(x < y),
      FORMULA(x <= y),
      FORMULA(x > y),
      FORMULA(x >= y),
      FORMULA(x == y),
      FORMULA(x != y),
      FORMULA(!(x < y)),
      FORMULA(!(x >= y)),
      FORMULA(x == x),
      FORMULA(x != x),
      FORMULA(x < y ? x : y),
      FORMULA(!(x > y) ? t : -t),
      FORMULA(x > 0 && y > 0),
      FORMULA(x < 0 || y < 0),
      FORMULA(float(x)),
      FORMULA(double(x) + y),
      FORMULA(t),
      FORMULA((unsigned)t * 3000000u),
      FORMULA((long long)t * 1234567890123ll),
      FORMULA((unsigned long long)t << 57),
      FORMULA(bool(x)),
      FORMULA((t & 1) ? x : y),
  };
  check<T>(formulas, reals<T>(1, true), reals<T>(2, true), T(4), T(3));
  check<T>(formulas, reals<T>(8, false), reals<T>(9, false), T(4), T(3));
}

TYPED_TEST(Reals, MathFunctionsEqualTheHosts) {
  using T = TypeParam;
  using std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh, std::cbrt,
      std::ceil, std::copysign, std::cos, std::cosh, std::erf, std::erfc, std::exp, std::exp2,
      std::expm1, std::fabs, std::fdim, std::floor, std::fma, std::fmax, std::fmin, std::fmod,
      std::hypot, std::isinf, std::isnan, std::lgamma, std::log, std::log10, std::log1p, std::log2,
      std::nearbyint, std::pow, std::remainder, std::rint, std::round, std::signbit, std::sin,
      std::sinh, std::sqrt, std::tan, std::tanh, std::tgamma, std::trunc;
  const std::vector<Formula<T>> formulas = {
      FORMULA(sqrt(x)),
      FORMULA(sin(x)),
      FORMULA(cos(x)),
      FORMULA(tan(x)),
      FORMULA(asin(x / 9)),
      FORMULA(acos(x / 9)),
      FORMULA(atan(x)),
      FORMULA(sinh(x)),
      FORMULA(cosh(x)),
      FORMULA(tanh(x)),
      FORMULA(asinh(x)),
      FORMULA(acosh(x + 9)),
      FORMULA(atanh(x / 9)),
      FORMULA(exp(x)),
      FORMULA(exp2(x)),
      FORMULA(expm1(x)),
      FORMULA(log(x + 9)),
      FORMULA(log2(x + 9)),
      FORMULA(log10(x + 9)),
      FORMULA(log1p(x + 8)),
      FORMULA(cbrt(x)),
      FORMULA(floor(x)),
      FORMULA(ceil(x)),
      FORMULA(trunc(x)),
      FORMULA(round(x)),
      FORMULA(rint(x)),
      FORMULA(nearbyint(x)),
      FORMULA(erf(x)),
      FORMULA(erfc(x)),
      FORMULA(fabs(x)),
      FORMULA(fmin(x, y)),
      FORMULA(fmax(x, y)),
      FORMULA(fmod(x, y)),
      FORMULA(remainder(x, y)),
      FORMULA(pow(fabs(x), y)),
      FORMULA(atan2(x, y)),
      FORMULA(hypot(x, y)),
      FORMULA(copysign(x, y)),
      FORMULA(fdim(x, y)),
      FORMULA(fma(x, y, T(2))),
      FORMULA(isnan(x)),
      FORMULA(isinf(x)),
      FORMULA(signbit(x)),
      FORMULA(tgamma(x / 2 + 5)),
      FORMULA(lgamma(x / 2 + 5)),
  };
  const double tolerance = sizeof(T) == 4 ? 1e-6 : 1e-14;
  check<T>(formulas, reals<T>(3, false), reals<T>(4, false), T(4), T(3), tolerance);
  check<T>(formulas, reals<T>(5, true), reals<T>(6, true), T(4), T(3), tolerance);
}

// PTX ISA, cvt: rounds towards zero, saturates out-of-range values, NaN gives 0.
TEST(Conversions, FloatToIntegerSaturates) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {0.0f,
                                2.9f,
                                -2.9f,
                                3e9f,
                                -3e9f,
                                5e9f,
                                1e20f,
                                -1e20f,
                                inf,
                                -inf,
                                std::numeric_limits<float>::quiet_NaN(),
                                2147483648.0f};
  const char* text =
      "__global__ void k(const float* in, long long* out) { int t = threadIdx.x; float x = in[t];\n"
      "  out[4*t] = (int)x; out[4*t+1] = (unsigned)x; out[4*t+2] = (long long)(double)x; "
      "out[4*t+3] = __float2int_rn(x); }";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {12, 1, 1}, {data("in", x), buffer<long long>("out", 48)});
  constexpr long long kMin = -2147483647 - 1, kMax = 2147483647, kUMax = 4294967295,
                      kLMin = std::numeric_limits<long long>::min(),
                      kLMax = std::numeric_limits<long long>::max();
  const std::array<std::array<long long, 4>, 12> want = {{{0, 0, 0, 0},
                                                          {2, 2, 2, 3},
                                                          {-2, 0, -2, -3},
                                                          {kMax, 3000000000, 3000000000, kMax},
                                                          {kMin, 0, -3000000000, kMin},
                                                          {kMax, kUMax, 5000000000, kMax},
                                                          {kMax, kUMax, kLMax, kMax},
                                                          {kMin, 0, kLMin, kMin},
                                                          {kMax, kUMax, kLMax, kMax},
                                                          {kMin, 0, kLMin, kMin},
                                                          {0, 0, 0, 0},
                                                          {kMax, 2147483648, 2147483648, kMax}}};
  expect_each<long long>(outcome, "out", [&](std::size_t i) { return want[i / 4][i % 4]; });
}

TEST(Conversions, BitsMoveUnchanged) {
  const std::vector<float> x = reals<float>(11, false);
  const char* text =
      "__global__ void k(const float* in, unsigned* out) { int t = threadIdx.x; out[t] = "
      "__float_as_uint(in[t]) ^ (unsigned)__float_as_int(__int_as_float(t))\n"
      "  ^ (unsigned)__double_as_longlong(__longlong_as_double(t * 4294967296ll + 5)); }";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {kCount, 1, 1},
                                   {data("in", x), buffer<unsigned>("out", kCount)});
  expect_each<unsigned>(outcome, "out", [&](std::size_t i) {
    return std::bit_cast<std::uint32_t>(x[i]) ^ static_cast<std::uint32_t>(i) ^ 5u;
  });
}

// CUDA leaves integer division by zero undefined; it must not bring the simulator down.
TEST(Arithmetic, DivisionByZeroAndByMinusOneEndNothing) {
  const char* text = "__global__ void k(int z, int m, int* out) { int t = threadIdx.x; out[t] = "
                     "(0x80000000 + t) / (z + t / 16) + (int)0x80000000 / m % m + t % z; }";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {32, 1, 1},
                                   {scalar("z", 0), scalar("m", -1), buffer<int>("out", 32)});
  EXPECT_TRUE(outcome.ok()) << outcome.report();
}

}  // namespace
}  // namespace lanescope
