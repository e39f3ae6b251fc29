// e4m3 and e5m2: every value, and the nearest of them to any float.
#include <cmath>
#include <limits>

#include "run/word_rows.h"

namespace lanescope {
namespace {

using U = std::uint32_t;

/// What eight bits stand for: OCP 8-bit Floating Point Specification, section 5.
double value_of(bool is_e4m3, U bits) {
  const U digits = is_e4m3 ? 3 : 2, fraction = bits & ((1u << digits) - 1),
          exponent = (bits & 0x7f) >> digits;
  const int bias = is_e4m3 ? 7 : 15;
  double size = exponent == 0
                    ? std::ldexp(fraction, 1 - bias - static_cast<int>(digits))
                    : std::ldexp(fraction + (1 << digits),
                                 static_cast<int>(exponent) - bias - static_cast<int>(digits));
  if (is_e4m3 ? (bits & 0x7f) == 0x7f : (bits & 0x7f) > 0x7c)
    return std::numeric_limits<double>::quiet_NaN();
  if (!is_e4m3 && (bits & 0x7f) == 0x7c) size = HUGE_VAL;
  return bits & 0x80 ? -size : size;
}
/// By looking at all: the nearest finite one, of two the even; beyond half a step past the largest there is none.
U nearest(bool is_e4m3, double x, bool saturate) {
  if (std::isnan(x)) return 0x7f;
  const U sign = std::signbit(x) ? 0x80 : 0, largest = is_e4m3 ? 0x7e : 0x7b;
  const double limit = value_of(is_e4m3, largest), step = limit - value_of(is_e4m3, largest - 1);
  x = std::fabs(x);
  // The tie itself would go to the next number's even digits, which e5m2's infinity stands for.
  if (is_e4m3 ? x > limit + step / 2 : x >= limit + step / 2)
    return sign | (saturate ? largest : largest + 1);
  U best = 0;
  for (U bits = 1; bits <= largest; ++bits) {
    const double gap = std::fabs(value_of(is_e4m3, bits) - x),
                 least = std::fabs(value_of(is_e4m3, best) - x);
    if (gap < least || (gap == least && bits % 2 == 0)) best = bits;
  }
  return sign | best;
}
float small(U a) {
  const U bits = (a & 0x80000000u) | (0x39000000u + (a & 0x7fffffffu) % 0x0f000000u);
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
const char* const kBefore = R"(
#include <cuda_fp8.h>
__device__ float small(unsigned a) { return __uint_as_float((a & 0x80000000u) | (0x39000000u + (a & 0x7fffffffu) % 0x0f000000u)); }
)";

const WordRow kConverted[] = {
    {"e4m3", "__nv_fp8_e4m3(small(a)).__x",
     [](U a, U, U) { return nearest(true, small(a), true); }},
    {"e5m2", "__nv_fp8_e5m2(small(a)).__x",
     [](U a, U, U) { return nearest(false, small(a), true); }},
    {"nosat", "__nv_cvt_float_to_fp8(small(a) * 300, __NV_NOSAT, __NV_E4M3)",
     [](U a, U, U) { return nearest(true, small(a) * 300, false); }},
    {"nosat5", "__nv_cvt_float_to_fp8(small(a) * 30000, __NV_NOSAT, __NV_E5M2)",
     [](U a, U, U) { return nearest(false, small(a) * 30000, false); }},
    {"double",
     "__nv_fp8_e4m3((double)(a % 256) / 16 + 0.03125 + 1e-13 * ((double)(b % 3) - 1)).__x",
     [](U a, U b, U) {
       return nearest(true, (a % 256) / 16.0 + 0.03125 + 1e-13 * (b % 3 - 1.0), true);
     }},
    {"pair", "__nv_fp8x2_e5m2(make_float2(small(a), small(b))).__x",
     [](U a, U b, U) {
       return nearest(false, small(a), true) | nearest(false, small(b), true) << 8;
     }},
    {"half", "__nv_cvt_halfraw_to_fp8(__float2half(small(a)), __NV_SATFINITE, __NV_E5M2) & 0x80u",
     [](U a, U, U) { return a >> 24 & 0x80u; }},
    {"four", "__nv_fp8x4_e4m3(make_float4(small(a), small(b), small(c), 448)).__x",
     [](U a, U b, U c) {
       return nearest(true, small(a), true) | nearest(true, small(b), true) << 8 |
              nearest(true, small(c), true) << 16 | 0x7e000000u;
     }},
};
TEST(Fp8, TheNearestOfAllValues) { expect_rows(kConverted, kBefore); }

TEST(Fp8, EveryValue) {
  const char* text = R"(
__global__ void k(float* four, float* five, float* halves) {
  int i = threadIdx.x; __nv_fp8_e4m3 a; a.__x = i; __nv_fp8_e5m2 b; b.__x = i;
  four[i] = (float)a; five[i] = (float)b; halves[i] = __half2float((__half)a);
})";
  const Outcome outcome = run_text(
      std::string(kBefore) + text, "k", {1, 1, 1}, {256, 1, 1},
      {buffer<float>("four", 256), buffer<float>("five", 256), buffer<float>("halves", 256)});
  for (const char* name : {"four", "halves"})
    expect_each<float>(outcome, name,
                       [](std::size_t i) { return value_of(true, static_cast<U>(i)); });
  expect_each<float>(outcome, "five",
                     [](std::size_t i) { return value_of(false, static_cast<U>(i)); });
}

}  // namespace
}  // namespace lanescope
