// CUDA's integer, video, rounding and mathematical functions against plain C++ on the host.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

#include "run/word_rows.h"

namespace lanescope {
namespace {

using U = std::uint32_t;
using I = std::int32_t;
using U64 = std::uint64_t;
using I64 = std::int64_t;

__extension__ typedef unsigned __int128 Int128;
__extension__ typedef __int128 SignedWide;

U64 wide(U low, U high) { return U64{high} << 32 | low; }

const WordRow kIntegerRows[] = {
    {"umin", "umin(a, b)", [](U a, U b, U) { return std::min(a, b); }},
    {"umax", "umax(a, b)", [](U a, U b, U) { return std::max(a, b); }},
    {"llmin", "llmin((int)a, (int)b)", [](U a, U b, U) { return U(std::min(I(a), I(b))); }},
    {"ullmax", "ullmax(a, b)", [](U a, U b, U) { return std::max(a, b); }},
    {"sad", "__sad(a, b, c)",
     [](U a, U b, U c) { return static_cast<U>(std::abs(I64{I(a)} - I64{I(b)})) + c; }},
    {"usad", "__usad(a, b, c)", [](U a, U b, U c) { return (a > b ? a - b : b - a) + c; }},
    {"hadd", "__hadd((int)a, (int)b)", [](U a, U b, U) { return U((I64{I(a)} + I(b)) >> 1); }},
    {"rhadd", "__rhadd((int)a, (int)b)",
     [](U a, U b, U) { return U((I64{I(a)} + I(b) + 1) >> 1); }},
    {"uhadd", "__uhadd(a, b)", [](U a, U b, U) { return U((U64{a} + b) >> 1); }},
    {"urhadd", "__urhadd(a, b)", [](U a, U b, U) { return U((U64{a} + b + 1) >> 1); }},
    {"umul64hi",
     "__umul64hi(((unsigned long long)a << 32) | b, ((unsigned long long)c << 32) | a) >> 7",
     [](U a, U b, U c) {
       return U(U64((static_cast<Int128>(wide(b, a)) * wide(a, c)) >> 64) >> 7);
     }},
    {"mul64hi", "__mul64hi(((long long)(int)a << 32) | b, ((long long)(int)c << 32) | a) >> 9",
     [](U a, U b, U c) {
       return U(I64((static_cast<SignedWide>(I64(wide(b, a))) * I64(wide(a, c))) >> 64) >> 9);
     }},
    {"funnelshift_l", "__funnelshift_l(a, b, c)",
     [](U a, U b, U c) { return c % 32 == 0 ? b : b << c % 32 | a >> (32 - c % 32); }},
    {"funnelshift_lc", "__funnelshift_lc(a, b, c % 50)",
     [](U a, U b, U c) { return c % 50 >= 32 ? a : U(wide(a, b) << c % 50 >> 32); }},
    {"funnelshift_r", "__funnelshift_r(a, b, c)",
     [](U a, U b, U c) { return U(wide(a, b) >> c % 32); }},
    {"funnelshift_rc", "__funnelshift_rc(a, b, c % 50)",
     [](U a, U b, U c) { return c % 50 >= 32 ? b : U(wide(a, b) >> c % 50); }},
    {"byte_perm", "__byte_perm(a, b, c)",
     [](U a, U b, U c) {
       U out = 0;
       for (int i = 0; i < 4; ++i) {
         const U s = c >> 4 * i & 15, byte = U(wide(a, b) >> 8 * (s & 7)) & 255;
         out |= (s >= 8 ? (byte >= 128 ? 255u : 0u) : byte) << 8 * i;
       }
       return out;
     }},
    {"fns", "__fns(a, b % 32, (int)(c % 13) - 6)",
     [](U a, U b, U c) {
       const int offset = static_cast<int>(c % 13) - 6;
       int at = static_cast<int>(b % 32), seen = 0;
       if (offset == 0) return a >> at & 1 ? U(at) : ~0u;
       for (; at >= 0 && at<32; at += offset> 0 ? 1 : -1)
         if ((seen += a >> at & 1) == std::abs(offset)) return U(at);
       return ~0u;
     }},
    {"dp4a", "__dp4a((int)a, (int)b, (int)c)",
     [](U a, U b, U c) {
       for (int i = 0; i < 4; ++i)
         c += static_cast<U>(std::int8_t(a >> 8 * i) * std::int8_t(b >> 8 * i));
       return c;
     }},
    {"dp4a_unsigned", "__dp4a(a, b, c)",
     [](U a, U b, U c) {
       for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
       return c;
     }},
    {"dp2a_lo", "__dp2a_lo((int)a, (int)b, (int)c)",
     [](U a, U b, U c) {
       return c + static_cast<U>(std::int16_t(a) * std::int8_t(b) +
                                 std::int16_t(a >> 16) * std::int8_t(b >> 8));
     }},
    {"dp2a_hi", "__dp2a_hi(a, b, c)",
     [](U a, U b, U c) { return c + (a & 0xffff) * (b >> 16 & 255) + (a >> 16) * (b >> 24); }},
    {"dp4a_vector",
     "__dp4a(make_char4(a, a >> 8, a >> 16, a >> 24), make_char4(b, b >> 8, b >> 16, b >> 24), 5)",
     [](U a, U b, U) {
       U c = 5;
       for (int i = 0; i < 4; ++i)
         c += static_cast<U>(std::int8_t(a >> 8 * i) * std::int8_t(b >> 8 * i));
       return c;
     }},
    {"vimax3", "__vimax3_s32(a, b, c)",
     [](U a, U b, U c) {
       return U(std::max({I(a), I(b), I(c)}));
     }},
    {"viaddmin_relu", "__viaddmin_s32_relu(a, b, c)",
     [](U a, U b, U c) { return U(std::max(0, std::min(I(a + b), I(c)))); }},
};
TEST(Intrinsics, Integers) { expect_rows(kIntegerRows); }

/// f of the elements of `bits` bits, kept in place.
template <unsigned bits, class F>
U each(U a, U b, bool is_signed, F f) {
  U out = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    const auto element = [&](U w) {
      const U raw = w >> at & ((1u << bits) - 1);
      return is_signed && raw >> (bits - 1) ? I(raw) - (1 << bits) : I(raw);
    };
    out |= (static_cast<U>(f(element(a), element(b))) & ((1u << bits) - 1)) << at;
  }
  return out;
}
template <unsigned bits>
int clamp_to(int v, bool is_signed) {
  return is_signed ? std::clamp(v, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
                   : std::clamp(v, 0, (1 << bits) - 1);
}
template <unsigned bits>
U sum_of(U word) {
  U sum = 0;
  for (unsigned at = 0; at < 32; at += bits) sum += word >> at & ((1u << bits) - 1);
  return sum;
}

#define BOTH(NAME, SIGNED, EXPR)                                                                   \
  {#NAME "2", "__" #NAME "2(a, b)",                                                                \
   [](U a, U b, U) {                                                                               \
     constexpr unsigned bits = 16;                                                                 \
     return each<bits>(a, b, SIGNED, [](int x, int y) { return U(EXPR) + 0 * bits; });             \
   }},                                                                                             \
  {                                                                                                \
#NAME "4", "__" #NAME "4(a, b)", [](U a, U b, U) {                                     \
     constexpr unsigned bits = 8;                                                         \
     return each<bits>(a, b, SIGNED, [](int x, int y) { return U(EXPR) + 0 * bits; });    \
   }           \
  }
#define ONE(NAME, EXPR)                                                                            \
  {#NAME "2", "__" #NAME "2(a)",                                                                   \
   [](U a, U, U) {                                                                                 \
     constexpr unsigned bits = 16;                                                                 \
     return each<bits>(a, 0, true, [](int x, int) { return U(EXPR) + 0 * bits; });                 \
   }},                                                                                             \
  {                                                                                                \
#NAME "4", "__" #NAME "4(a)", [](U a, U, U) {                                         \
     constexpr unsigned bits = 8;                                                        \
     return each<bits>(a, 0, true, [](int x, int) { return U(EXPR) + 0 * bits; });       \
   }            \
  }
#define COMPARE(NAME, SIGNED, OP)                                                                  \
  BOTH(vcmp##NAME, SIGNED, x OP y ? ~0u : 0u), BOTH(vset##NAME, SIGNED, x OP y ? 1u : 0u)
const WordRow kVideo[] = {
    BOTH(vadd, false, x + y),
    BOTH(vaddss, true, clamp_to<bits>(x + y, true)),
    BOTH(vaddus, false, clamp_to<bits>(x + y, false)),
    BOTH(vsub, false, x - y),
    BOTH(vsubss, true, clamp_to<bits>(x - y, true)),
    BOTH(vsubus, false, clamp_to<bits>(x - y, false)),
    // Half away from zero, as the code that nvcc makes of __vavgs2.
    BOTH(vavgs, true, static_cast<int>(std::round((x + y) / 2.0))),
    BOTH(vavgu, false, (x + y + 1) / 2),
    BOTH(vhaddu, false, (x + y) / 2),
    BOTH(vabsdiffs, true, std::abs(x - y)),
    BOTH(vabsdiffu, false, std::abs(x - y)),
    BOTH(vmins, true, std::min(x, y)),
    BOTH(vminu, false, std::min(x, y)),
    BOTH(vmaxs, true, std::max(x, y)),
    BOTH(vmaxu, false, std::max(x, y)),
    COMPARE(eq, false, ==),
    COMPARE(ne, false, !=),
    COMPARE(ges, true, >=),
    COMPARE(geu, false, >=),
    COMPARE(gts, true, >),
    COMPARE(gtu, false, >),
    COMPARE(les, true, <=),
    COMPARE(leu, false, <=),
    COMPARE(lts, true, <),
    COMPARE(ltu, false, <),
    ONE(vabs, std::abs(x)),
    ONE(vabsss, clamp_to<bits>(std::abs(x), true)),
    ONE(vneg, -x),
    ONE(vnegss, clamp_to<bits>(-x, true)),
    {"vsads2", "__vsads2(a, b)",
     [](U a, U b, U) {
       return sum_of<16>(each<16>(a, b, true, [](int x, int y) { return std::abs(x - y); }));
     }},
    {"vsads4", "__vsads4(a, b)",
     [](U a, U b, U) {
       return sum_of<8>(each<8>(a, b, true, [](int x, int y) { return std::abs(x - y); }));
     }},
    {"vsadu2", "__vsadu2(a, b)",
     [](U a, U b, U) {
       return sum_of<16>(each<16>(a, b, false, [](int x, int y) { return std::abs(x - y); }));
     }},
    {"vsadu4", "__vsadu4(a, b)",
     [](U a, U b, U) {
       return sum_of<8>(each<8>(a, b, false, [](int x, int y) { return std::abs(x - y); }));
     }},
    {"viaddmax_s16x2", "__viaddmax_s16x2(a, b, c)",
     [](U a, U b, U c) {
       return each<16>(each<16>(a, b, false, [](int x, int y) { return x + y; }), c, true,
                       [](int x, int y) { return std::max(x, y); });
     }},
};
TEST(Intrinsics, Video) { expect_rows(kVideo); }

// ---- rounding: the host's own arithmetic in that mode ----

/// In the given mode, kept from the optimiser.
template <class F>
auto rounded(int mode, F f) {
  const int before = std::fegetround();
  std::fesetround(mode);
  const auto result = f();
  std::fesetround(before);
  return result;
}

struct Mode {
  const char* name;
  int mode;
};
class Rounding : public testing::TestWithParam<Mode> {};

std::vector<float> floats(std::uint32_t seed) {
  std::mt19937 random(seed);
  const float edges[] = {0.0f,
                         -0.0f,
                         1.0f,
                         -1.0f,
                         std::numeric_limits<float>::max(),
                         -std::numeric_limits<float>::max(),
                         std::numeric_limits<float>::denorm_min(),
                         -std::numeric_limits<float>::denorm_min(),
                         std::numeric_limits<float>::min(),
                         std::numeric_limits<float>::infinity(),
                         0x1.000002p0f,
                         0x1.fffffep-1f,
                         3.0f,
                         1e-20f};
  std::vector<float> out(2048);
  for (float& f : out) {
    if (random() % 3 == 0)
      f = edges[random() % std::size(edges)];
    else if (random() % 2 == 0)
      f = std::ldexp(static_cast<float>(random() % 4096) - 2048,
                     static_cast<int>(random() % 40) - 20);
    else
      do {
        const std::uint32_t bits = random();
        std::memcpy(&f, &bits, 4);
      } while (std::isnan(f));
  }
  return out;
}

template <class T>
void expect_bits(const Outcome& outcome, const std::string& name, const std::vector<T>& want) {
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto got = outcome.values<T>(name);
  int wrong = 0;
  for (std::size_t i = 0; i < want.size() && wrong < 5; ++i) {
    if (std::memcmp(&got[i], &want[i], sizeof(T)) == 0) continue;
    if (got[i] != got[i] && want[i] != want[i]) continue;
    ++wrong;
    ADD_FAILURE() << name << "[" << i << "]: got " << got[i] << ", expected " << want[i];
  }
}

TEST_P(Rounding, FloatsAndDoubles) {
  const Mode& mode = GetParam();
  const std::vector<float> x = floats(11), y = floats(12), z = floats(13);
  const std::size_t n = x.size();
  std::string text = R"(
__global__ void k(const float* xs, const float* ys, const float* zs, float* out, double* doubles, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x; float x = xs[t], y = ys[t], z = zs[t];
  out[t] = __fadd_MODE(x, y); out[n + t] = __fsub_MODE(x, y); out[2 * n + t] = __fmul_MODE(x, y);
  out[3 * n + t] = __fdiv_MODE(x, y); out[4 * n + t] = __fmaf_MODE(x, y, z); out[5 * n + t] = __fsqrt_MODE(x);
  out[6 * n + t] = __frcp_MODE(x); out[7 * n + t] = __double2float_MODE((double)x + (double)y * 1e-3);
  long long v = (long long)__float_as_int(x) * __float_as_int(y);
  out[8 * n + t] = __ll2float_MODE(v); out[9 * n + t] = __ull2float_MODE((unsigned long long)v);
  out[10 * n + t] = __int2float_MODE(__float_as_int(x)); out[11 * n + t] = __uint2float_MODE(__float_as_uint(x));
  doubles[t] = __dadd_MODE(x, (double)y * 1e-3); doubles[n + t] = __ll2double_MODE(v | 1); doubles[2 * n + t] = __ull2double_MODE((unsigned long long)v | 1);
})";
  for (std::size_t at; (at = text.find("MODE")) != std::string::npos;)
    text.replace(at, 4, mode.name);
  const Outcome outcome =
      run_text(text, "k", {static_cast<std::uint32_t>(n / 128), 1, 1}, {128, 1, 1},
               {data("xs", x), data("ys", y), data("zs", z), buffer<float>("out", 12 * n),
                buffer<double>("doubles", 3 * n), scalar("n", n)});
  std::vector<float> want(12 * n);
  std::vector<double> doubles(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const volatile float a = x[i], b = y[i], c = z[i];
    const volatile double wide_a = x[i], wide_sum = double{a} + double{b} * 1e-3,
                          wide_b = double{b} * 1e-3;
    std::int32_t bits_a, bits_b;
    std::memcpy(&bits_a, &x[i], 4), std::memcpy(&bits_b, &y[i], 4);
    const volatile std::int64_t v = std::int64_t{bits_a} * bits_b;
    const auto put = [&](std::size_t row, auto f) { want[row * n + i] = rounded(mode.mode, f); };
    put(0, [&] {
      volatile float r = a + b;
      return float{r};
    });
    put(1, [&] {
      volatile float r = a - b;
      return float{r};
    });
    put(2, [&] {
      volatile float r = a * b;
      return float{r};
    });
    put(3, [&] {
      volatile float r = a / b;
      return float{r};
    });
    put(4, [&] {
      volatile float r = std::fma(float{a}, float{b}, float{c});
      return float{r};
    });
    put(5, [&] {
      volatile float r = std::sqrt(float{a});
      return float{r};
    });
    put(6, [&] {
      volatile float one = 1, r = one / a;
      return float{r};
    });
    put(7, [&] {
      volatile float r = static_cast<float>(wide_sum);
      return float{r};
    });
    put(8, [&] {
      volatile float r = static_cast<float>(v);
      return float{r};
    });
    put(9, [&] {
      volatile float r = static_cast<float>(static_cast<std::uint64_t>(v));
      return float{r};
    });
    put(10, [&] {
      volatile std::int32_t s = bits_a;
      volatile float r = static_cast<float>(s);
      return float{r};
    });
    put(11, [&] {
      volatile std::uint32_t s = static_cast<std::uint32_t>(bits_a);
      volatile float r = static_cast<float>(s);
      return float{r};
    });
    doubles[i] = rounded(mode.mode, [&] {
      volatile double r = wide_a + wide_b;
      return double{r};
    });
    doubles[n + i] = rounded(mode.mode, [&] {
      volatile double r = static_cast<double>(v | 1);
      return double{r};
    });
    doubles[2 * n + i] = rounded(mode.mode, [&] {
      volatile double r = static_cast<double>(static_cast<std::uint64_t>(v) | 1);
      return double{r};
    });
  }
  expect_bits(outcome, "out", want);
  expect_bits(outcome, "doubles", doubles);
}
INSTANTIATE_TEST_SUITE_P(All, Rounding,
                         testing::Values(Mode{"rz", FE_TOWARDZERO}, Mode{"ru", FE_UPWARD},
                                         Mode{"rd", FE_DOWNWARD}, Mode{"rn", FE_TONEAREST}),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace lanescope
