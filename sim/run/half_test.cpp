// half and bfloat16: conversions of every value, arithmetic rounded once, comparisons, packed forms,
// atomics. The expected values come from exact arithmetic, rounded by `rounded_to` below.
#include "model/half.h"

#include <bit>
#include <cmath>
#include <limits>

#include "run/word_rows.h"

namespace lanescope {
namespace {

using U = std::uint32_t;
using I = std::int32_t;
__extension__ typedef __int128 ExactSum;

/// What a format of 16 bits is: digits of the fraction, exponent of the smallest normal number.
struct Format {
  int fraction, lowest;
};
constexpr Format kHalf{10, -14}, kBfloat{7, -126};

long double value_of(Format format, U bits) {
  bits &= 0xffff;
  const int width = 15 - format.fraction,
            exponent = static_cast<int>(bits >> format.fraction) & ((1 << width) - 1);
  const auto digits = static_cast<int>(bits & ((1u << format.fraction) - 1));
  long double size = std::ldexp(static_cast<long double>(digits), format.lowest - format.fraction);
  if (exponent == (1 << width) - 1)
    size = digits != 0 ? std::numeric_limits<long double>::quiet_NaN() : HUGE_VALL;
  else if (exponent != 0)
    size = std::ldexp(static_cast<long double>(digits + (1 << format.fraction)),
                      exponent - 1 + format.lowest - format.fraction);
  return bits >> 15 != 0 ? -size : size;
}

/// The nearest number of the format, ties to even. A NaN is 0x7fff.
U rounded_to(Format format, long double x) {
  if (std::isnan(x)) return 0x7fff;
  const U sign = std::signbit(x) ? 0x8000 : 0, infinity = (0x7fffu >> format.fraction)
                                                          << format.fraction;
  x = std::fabs(x);
  if (std::isinf(x)) return sign | infinity;
  if (x == 0) return sign;
  int exponent = 0;
  std::frexp(x, &exponent);
  const int unit = std::max(exponent - 1, format.lowest) - format.fraction;
  const auto digits = static_cast<U>(std::nearbyint(std::ldexp(x, -unit)));
  // A carry into the next power of two is a carry into the exponent's field.
  const U bits =
      (static_cast<U>(unit + format.fraction - format.lowest) << format.fraction) + digits;
  return sign | std::min(bits, infinity);
}
U half(long double x) { return rounded_to(kHalf, x); }
U bfloat(long double x) { return rounded_to(kBfloat, x); }
long double of_half(U bits) { return value_of(kHalf, bits); }
long double of_bfloat(U bits) { return value_of(kBfloat, bits); }

TEST(HalfModel, TheReferenceIsTheOther) {
  for (U bits = 0; bits < 65536; ++bits) {
    const auto want = static_cast<long double>(float_from_half(static_cast<std::uint16_t>(bits)));
    const long double got = of_half(bits);
    ASSERT_TRUE(got == want || (std::isnan(got) && std::isnan(want))) << bits;
    if (!std::isnan(got)) {
      ASSERT_EQ(half(got), bits);
      ASSERT_EQ(bfloat(std::bit_cast<float>(bits << 16)),
                std::isnan(std::bit_cast<float>(bits << 16)) ? 0x7fffu : bits);
    }
  }
}

// ---- every value ----

const char* const kHalfHeaders = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";

TEST(Half, EveryValueToFloatAndBack) {
  const char* text = R"(
__global__ void k(float* halves, float* bfloats, unsigned short* back) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  half h = __ushort_as_half((unsigned short)i); __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)i);
  halves[i] = __half2float(h); bfloats[i] = __bfloat162float(b);
  back[i] = __half_as_ushort(__float2half(halves[i])); back[65536 + i] = __bfloat16_as_ushort(__float2bfloat16(bfloats[i]));
})";
  const Outcome outcome = run_text(std::string(kHalfHeaders) + text, "k", {256, 1, 1}, {256, 1, 1},
                                   {buffer<float>("halves", 65536), buffer<float>("bfloats", 65536),
                                    buffer<std::uint16_t>("back", 131072)});
  expect_each<float>(outcome, "halves",
                     [](std::size_t i) { return float_from_half(static_cast<std::uint16_t>(i)); });
  expect_each<float>(outcome, "bfloats",
                     [](std::size_t i) { return std::bit_cast<float>(static_cast<U>(i) << 16); });
  expect_each<std::uint16_t>(outcome, "back", [](std::size_t i) {
    const U bits = i & 0xffff;
    const long double value = i < 65536 ? of_half(bits) : of_bfloat(bits);
    return std::isnan(value) ? 0x7fffu : bits;
  });
}

// ---- conversions of numbers: a, or a float of its bits ----

float as_float(U bits) { return std::bit_cast<float>(bits); }
/// A double whose low digits matter to whoever rounds twice.
double as_double(U a, U b) {
  return std::ldexp(1.0 + (a % 4096) / 2048.0 / 2048.0 * 1024.0 + (b % 8 - 4.0) * 1e-13,
                    static_cast<int>(b >> 8 & 31) - 20);
}
const char* const kAsDouble = "__device__ double d(unsigned a, unsigned b) { return ldexp(1.0 + (a "
                              "% 4096) / 2048.0 / 2048.0 * 1024.0 + "
                              "((double)(b % 8) - 4.0) * 1e-13, (int)(b >> 8 & 31) - 20); }\n";

template <class T>
U saturated(long double x) {
  if (std::isnan(x)) return 0;
  return static_cast<U>(
      static_cast<T>(std::clamp(x, static_cast<long double>(std::numeric_limits<T>::min()),
                                static_cast<long double>(std::numeric_limits<T>::max()))));
}
/// The number of the format next to x on one side (1: not below, -1: not above).
U towards(Format format, long double x, int side) {
  U bits = rounded_to(format, x);
  const long double got = value_of(format, bits);
  if ((side > 0 && got >= x) || (side < 0 && got <= x) || std::isnan(x)) return bits;
  const bool negative = bits >> 15 != 0;
  if ((bits & 0x7fff) == 0) return side > 0 ? 1 : 0x8001;
  return negative == (side > 0) ? bits - 1 : bits + 1;
}

const WordRow kConversions[] = {
    {"float2half", "__half_as_ushort(__float2half(__uint_as_float(a)))",
     [](U a, U, U) { return half(as_float(a)); }},
    {"float2half_small",
     "__half_as_ushort(__float2half_rn(__uint_as_float(0x33000000u + a % 0x16000000u)))",
     [](U a, U, U) { return half(as_float(0x33000000u + a % 0x16000000u)); }},
    {"float2half_ru",
     "__half_as_ushort(__float2half_ru(__uint_as_float(0x33000000u + a % 0x16000000u)))",
     [](U a, U, U) { return towards(kHalf, as_float(0x33000000u + a % 0x16000000u), 1); }},
    {"float2half_rd",
     "__half_as_ushort(__float2half_rd(-__uint_as_float(0x33000000u + a % 0x16000000u)))",
     [](U a, U, U) { return towards(kHalf, -as_float(0x33000000u + a % 0x16000000u), -1); }},
    {"float2half_rz",
     "__half_as_ushort(__float2half_rz(__uint_as_float(0xb3000000u + a % 0x16000000u)))",
     [](U a, U, U) { return towards(kHalf, as_float(0xb3000000u + a % 0x16000000u), 1); }},
    {"double2half", "__half_as_ushort(__double2half(d(a, b)))",
     [](U a, U b, U) { return half(as_double(a, b)); }},
    {"double2bfloat16", "__bfloat16_as_ushort(__double2bfloat16(d(a * 4096, b)))",
     [](U a, U b, U) { return bfloat(as_double(a * 4096, b)); }},
    {"float2bfloat16", "__bfloat16_as_ushort(__float2bfloat16(__uint_as_float(a)))",
     [](U a, U, U) { return bfloat(as_float(a)); }},
    {"int2half", "__half_as_ushort(__int2half_rn((int)a >> b % 32))",
     [](U a, U b, U) { return half(I(a) >> b % 32); }},
    {"int2half_rz", "__half_as_ushort(__int2half_rz((int)a >> b % 32))",
     [](U a, U b, U) {
       const I x = I(a) >> b % 32;
       return towards(kHalf, x, x > 0 ? -1 : 1);
     }},
    {"uint2bfloat16", "__bfloat16_as_ushort(__uint2bfloat16_rn(a))",
     [](U a, U, U) { return bfloat(a); }},
    {"int2bfloat16", "__bfloat16_as_ushort((__nv_bfloat16)(int)a)",
     [](U a, U, U) { return bfloat(I(a)); }},
    {"ll2bfloat16",
     "__bfloat16_as_ushort(__ll2bfloat16_rn(((long long)(int)(a | 0x00800000u) << 32) | (b % 3)))",
     [](U a, U b, U) {
       return bfloat(
           static_cast<std::int64_t>(static_cast<std::uint64_t>(a | 0x00800000u) << 32 | (b % 3)));
     }},
    {"ull2bfloat16_ru",
     "__bfloat16_as_ushort(__ull2bfloat16_ru(((unsigned long long)a << 32) | (b % 3)))",
     [](U a, U b, U) {
       return towards(kBfloat, static_cast<std::uint64_t>(a) << 32 | (b % 3), 1);
     }},
    {"half2int_rn", "__half2int_rn(__ushort_as_half(a))",
     [](U a, U, U) { return saturated<I>(std::nearbyint(of_half(a))); }},
    {"half2int_rz", "(int)__ushort_as_half(a)",
     [](U a, U, U) { return saturated<I>(std::trunc(of_half(a))); }},
    {"half2uint_ru", "__half2uint_ru(__ushort_as_half(a))",
     [](U a, U, U) { return saturated<U>(std::ceil(of_half(a))); }},
    {"half2short_rd", "__half2short_rd(__ushort_as_half(a))",
     [](U a, U, U) { return saturated<std::int16_t>(std::floor(of_half(a))); }},
    {"half2ushort", "__half2ushort_rz(__ushort_as_half(a))",
     [](U a, U, U) { return saturated<std::uint16_t>(std::trunc(of_half(a))); }},
    {"half2char", "(int)(signed char)__ushort_as_half(a)",
     [](U a, U, U) { return saturated<std::int8_t>(std::trunc(of_half(a))); }},
    {"bfloat162ll", "(unsigned)(__bfloat162ll_rn(__ushort_as_bfloat16(a & 0xbfff)) >> 3)",
     [](U a, U, U) {
       const long double x = std::nearbyint(of_bfloat(a & 0xbfff));
       return static_cast<U>(static_cast<std::int64_t>(x) >> 3);
     }},
    {"half of bfloat16", "__half_as_ushort((half)__ushort_as_bfloat16(a))",
     [](U a, U, U) { return half(of_bfloat(a)); }},
    {"bfloat16 of half", "__bfloat16_as_ushort((__nv_bfloat16)__ushort_as_half(a))",
     [](U a, U, U) { return bfloat(of_half(a)); }},
    {"bool", "(__ushort_as_half(a) ? 1 : 0) + (__ushort_as_bfloat16(b) ? 2 : 0)",
     [](U a, U b, U) { return ((a & 0x7fff) != 0 ? 1u : 0u) + ((b & 0x7fff) != 0 ? 2u : 0u); }},
    {"assign",
     "([&] { half h; h = (int)(a % 3000); half g = 2; g = h; return __half_as_ushort(g); }())",
     [](U a, U, U) { return half(a % 3000); }},
};
TEST(Half, Conversions) { expect_rows(kConversions, std::string(kHalfHeaders) + kAsDouble); }

// ---- arithmetic ----

// H and B name a half and a bfloat16 of a word's low bits.
const char* const kNames = R"(
__device__ half H(unsigned w) { return __ushort_as_half((unsigned short)w); }
__device__ __nv_bfloat16 B(unsigned w) { return __ushort_as_bfloat16((unsigned short)w); }
__device__ half2 H2(unsigned w) { return __halves2half2(H(w), H(w >> 16)); }
__device__ __nv_bfloat162 B2(unsigned w) { return __halves2bfloat162(B(w), B(w >> 16)); }
__device__ unsigned bits(half h) { return __half_as_ushort(h); }
__device__ unsigned bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
__device__ unsigned canonical(half h) { return __hisnan(h) ? 0x7fff : bits(h); }
__device__ unsigned canonical(__nv_bfloat16 h) { return __hisnan(h) ? 0x7fff : bits(h); }
__device__ unsigned canonical(half2 h) { return canonical(__low2half(h)) | canonical(__high2half(h)) << 16; }
__device__ unsigned canonical(__nv_bfloat162 h) { return canonical(__low2bfloat16(h)) | canonical(__high2bfloat16(h)) << 16; }
)";

/// Exact: halves are whole multiples of 2^-24, and their products of 2^-48.
U half_fma(U a, U b, U c) {
  const long double x = of_half(a), y = of_half(b), z = of_half(c);
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z)) return half(x * y + z);
  const auto sum =
      static_cast<ExactSum>(std::ldexp(x, 24)) * static_cast<ExactSum>(std::ldexp(y, 24)) +
      static_cast<ExactSum>(std::ldexp(z, 48));
  if (sum == 0) return half(x * y + z);
  ExactSum size = sum < 0 ? -sum : sum;
  int shift = 0;
  for (; size >> 60 != 0; ++shift) size = (size >> 1) | (size & 1);
  const long double value = std::ldexp(static_cast<long double>(size), shift - 48);
  return half(sum < 0 ? -value : value);
}
U pair(U low, U high) { return low | high << 16; }

const WordRow kArithmetic[] = {
    {"h+", "canonical(H(a) + H(b))", [](U a, U b, U) { return half(of_half(a) + of_half(b)); }},
    {"h-", "canonical(__hsub(H(a), H(b)))",
     [](U a, U b, U) { return half(of_half(a) - of_half(b)); }},
    {"h*", "canonical(H(a) * H(b))", [](U a, U b, U) { return half(of_half(a) * of_half(b)); }},
    {"h/", "canonical(__hdiv(H(a), H(b)))",
     [](U a, U b, U) { return half(of_half(a) / of_half(b)); }},
    {"hfma", "canonical(__hfma(H(a), H(b), H(c)))", half_fma},
    {"hfma near",
     "canonical(__hfma(H(0x3c00 + a % 64), H(0x3c00 + b % 1024), H(0x9000 + c % 16384)))",
     [](U a, U b, U c) {
       return half_fma(0x3c00 + a % 64, 0x3c00 + b % 1024, 0x9000 + c % 16384);
     }},
    {"b+", "canonical(B(a) + B(b))",
     [](U a, U b, U) { return bfloat(of_bfloat(a) + of_bfloat(b)); }},
    {"b*", "canonical(B(a) * B(b))",
     [](U a, U b, U) { return bfloat(of_bfloat(a) * of_bfloat(b)); }},
    {"b/", "canonical(B(a) / B(b))",
     [](U a, U b, U) { return bfloat(of_bfloat(a) / of_bfloat(b)); }},
    {"bfma", "canonical(__hfma(B(0x3f00 + a % 256), B(0x3f00 + b % 256), B(0xb000 + c % 4096)))",
     [](U a, U b, U c) {
       return bfloat(std::fma(of_bfloat(0x3f00 + a % 256), of_bfloat(0x3f00 + b % 256),
                              of_bfloat(0xb000 + c % 4096)));
     }},
    {"h+=", "([&] { half h = H(a); h += H(b); h *= H(c); --h; return canonical(-h); }())",
     [](U a, U b, U c) {
       const U sum = half(of_half(a) + of_half(b));
       const U less = half(std::fma(of_half(sum), of_half(c), -1.0L));
       return std::isnan(of_half(less)) ? 0x7fffu : less ^ 0x8000u;
     }},
    {"hneg habs", "bits(__hneg(H(a))) | bits(__habs(H(b))) << 16",
     [](U a, U b, U) { return pair((a & 0xffff) ^ 0x8000, b & 0x7fff); }},
    {"hmax", "canonical(__hmax(H(a), H(b)))",
     [](U a, U b, U) {
       const auto x = of_half(a), y = of_half(b);
       if (std::isnan(x) && std::isnan(y)) return 0x7fffu;
       if (x == y) return a & b & 0xffff;
       return (std::isnan(x) || x < y ? b : a) & 0xffff;
     }},
    {"hmin_nan", "canonical(__hmin_nan(H(a), H(b)))",
     [](U a, U b, U) {
       const auto x = of_half(a), y = of_half(b);
       if (std::isnan(x) || std::isnan(y)) return 0x7fffu;
       if (x == y) return (a | b) & 0xffff;
       return (x < y ? a : b) & 0xffff;
     }},
    {"bmax2", "canonical(__hmax2(B2(a), B2(b)))",
     [](U a, U b, U) {
       const auto one = [](U p, U q) {
         const auto x = of_bfloat(p), y = of_bfloat(q);
         if (std::isnan(x) && std::isnan(y)) return 0x7fffu;
         if (x == y) return p & q & 0xffff;
         return (std::isnan(x) || x < y ? q : p) & 0xffff;
       };
       return pair(one(a, b), one(a >> 16, b >> 16));
     }},
    {"sat relu", "bits(__hadd_sat(H(a), H(b))) | canonical(__hfma_relu(H(a), H(b), H(c))) << 16",
     [](U a, U b, U c) {
       const U sum = half(of_half(a) + of_half(b)), all = half_fma(a, b, c);
       const long double s = of_half(sum), f = of_half(all);
       return pair(s > 0 ? half(std::min(s, 1.0L)) : 0, std::isnan(f) ? 0x7fff : f > 0 ? all : 0);
     }},
    {"hadd2", "canonical(H2(a) + H2(b))",
     [](U a, U b, U) {
       return pair(half(of_half(a) + of_half(b)), half(of_half(a >> 16) + of_half(b >> 16)));
     }},
    {"hmul2", "canonical(__hmul2(B2(a), B2(b)))",
     [](U a, U b, U) {
       return pair(bfloat(of_bfloat(a) * of_bfloat(b)),
                   bfloat(of_bfloat(a >> 16) * of_bfloat(b >> 16)));
     }},
    {"hfma2", "canonical(__hfma2(H2(a), H2(b), H2(c)))",
     [](U a, U b, U c) { return pair(half_fma(a, b, c), half_fma(a >> 16, b >> 16, c >> 16)); }},
    {"halves",
     "canonical(__lowhigh2highlow(H2(a))) ^ canonical(__lows2half2(H2(b), H2(c))) ^ "
     "canonical(__high2half2(H2(c)))",
     [](U a, U b, U c) {
       const auto n = [](U h) { return std::isnan(of_half(h)) ? 0x7fffu : h & 0xffff; };
       return pair(n(a >> 16), n(a)) ^ pair(n(b), n(c)) ^ pair(n(c >> 16), n(c >> 16));
     }},
    {"hsqrt", "canonical(hsqrt(H(a)))", [](U a, U, U) { return half(std::sqrt(of_half(a))); }},
    {"hrcp", "canonical(hrcp(H(a)))", [](U a, U, U) { return half(1 / of_half(a)); }},
    {"hfloor", "canonical(hfloor(H(a))) | canonical(hrint(H(b))) << 16",
     [](U a, U b, U) {
       return pair(half(std::floor(of_half(a))), half(std::nearbyint(of_half(b))));
     }},
    {"h2ceil", "canonical(h2ceil(B2(a)))",
     [](U a, U, U) {
       return pair(bfloat(std::ceil(of_bfloat(a))), bfloat(std::ceil(of_bfloat(a >> 16))));
     }},
    {"hisinf", "(unsigned)(__hisinf(H(a)) + 1) | __hisnan(H(b)) << 4",
     [](U a, U b, U) {
       const auto x = of_half(a);
       return static_cast<U>((std::isinf(x) ? (x > 0 ? 1 : -1) : 0) + 1) |
              (std::isnan(of_half(b)) ? 16u : 0u);
     }},
};
TEST(Half, Arithmetic) { expect_rows(kArithmetic, std::string(kHalfHeaders) + kNames); }

#define COMPARISON(NAME, OP)                                                                       \
  {"__h" #NAME,                                                                                    \
   "__h" #NAME "(H(a), H(b)) | __h" #NAME "u(H(a), H(b)) << 1 | (H(a) " #OP " H(b)) << 2",         \
   [](U a, U b, U) {                                                                               \
     const auto x = of_half(a), y = of_half(b);                                                    \
     const bool unordered = std::isnan(x) || std::isnan(y);                                        \
     return ((x OP y) && !unordered ? 1u : 0u) | ((x OP y) || unordered ? 2u : 0u) |               \
            ((x OP y) ? 4u : 0u);                                                                  \
   }},                                                                                             \
  {                                                                                                \
    "__hb" #NAME "2",                                                                              \
        "__hb" #NAME "2(B2(a), B2(b)) | __hb" #NAME "u2(B2(a), B2(b)) << 1 | (__h" #NAME           \
        "2_mask(B2(a), B2(b)) & 0x10100)",                                                         \
        [](U a, U b, U) {                                                                          \
          const auto x = of_bfloat(a), y = of_bfloat(b), v = of_bfloat(a >> 16),                   \
                     w = of_bfloat(b >> 16);                                                       \
          const bool low = std::isnan(x) || std::isnan(y), high = std::isnan(v) || std::isnan(w);  \
          const bool first = (x OP y) && !low, second = (v OP w) && !high;                         \
          return (first && second ? 1u : 0u) | ((first || low) && (second || high) ? 2u : 0u) |    \
                 (first ? 0x100u : 0u) | (second ? 0x10000u : 0u);                                 \
        }                                                                                          \
  }
const WordRow kComparisons[] = {
    COMPARISON(eq, ==),
    COMPARISON(ne, !=),
    COMPARISON(lt, <),
    COMPARISON(le, <=),
    COMPARISON(gt, >),
    COMPARISON(ge, >=),
    {"heq2", "canonical(__heq2(H2(a), H2(a & 0xffff0000u | b & 0xffffu)))",
     [](U a, U b, U) {
       const auto x = of_half(a), y = of_half(b);
       return pair(x == y ? 0x3c00 : 0, std::isnan(of_half(a >> 16)) ? 0 : 0x3c00);
     }},
};
TEST(Half, Comparisons) { expect_rows(kComparisons, std::string(kHalfHeaders) + kNames); }

TEST(Half, FunctionsAreThoseOfTheHost) {
  const char* text = R"(
__global__ void k(float* out) {
  int t = threadIdx.x; half h = __float2half(0.03125f * (t + 1)); __nv_bfloat16 b(h); float* o = out + t * 10;
  o[0] = hexp(h); o[1] = hlog(h); o[2] = hsin(h); o[3] = hcos(h); o[4] = htanh(h); o[5] = hexp2(h); o[6] = hrsqrt(h);
  o[7] = __low2float(h2log2(__half2half2(h))); o[8] = hexp10(b); o[9] = __high2float(h2log10(__bfloat162bfloat162(b)));
})";
  const Outcome outcome = run_text(std::string(kHalfHeaders) + text, "k", {1, 1, 1}, {64, 1, 1},
                                   {buffer<float>("out", 640)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto got = outcome.values<float>("out");
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double x = 0.03125 * static_cast<double>(i / 10 + 1);
    const double b = static_cast<double>(of_bfloat(bfloat(x)));
    const double want[] = {std::exp(x),     std::log(x),  std::sin(x),      std::cos(x),
                           std::tanh(x),    std::exp2(x), 1 / std::sqrt(x), std::log2(x),
                           std::pow(10, b), std::log10(b)};
    const U bits = i % 10 >= 8 ? bfloat(want[i % 10]) : half(want[i % 10]);
    EXPECT_EQ(got[i], static_cast<float>(i % 10 >= 8 ? of_bfloat(bits) : of_half(bits))) << i;
  }
}

// ---- memory and shuffles ----

TEST(Half, AtomicsAddEachNumberByItself) {
  const char* text = R"(
__global__ void k(half* h, half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2, unsigned short* old) {
  __shared__ half s;
  int t = threadIdx.x;
  if (t == 0) s = 0;
  __syncthreads();
  old[t] = __half_as_ushort(atomicAdd(&h[1], __float2half(1.0f)));
  atomicAdd(&h2[1], __floats2half2_rn(0.5f, -2.0f)); atomicAdd(b + 1, __float2bfloat16(1.0f)); atomicAdd(b2, __floats2bfloat162_rn(1.0f, (float)(t % 2)));
  atomicAdd(&s, half(2)); __syncthreads();
  if (t == 0) h[0] = s;
})";
  const std::vector<std::uint16_t> zeros(4);
  const Outcome outcome = run_text(std::string(kHalfHeaders) + text, "k", {1, 1, 1}, {64, 1, 1},
                                   {data("h", zeros), data("h2", zeros), data("b", zeros),
                                    data("b2", zeros), buffer<std::uint16_t>("old", 64)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto at = [&](const char* name, std::size_t i) {
    return U{outcome.values<std::uint16_t>(name)[i]};
  };
  EXPECT_EQ(at("h", 0), half(128));
  EXPECT_EQ(at("h", 1), half(64));
  EXPECT_EQ(at("h", 2), 0u);
  EXPECT_EQ(at("h2", 2), half(32));
  EXPECT_EQ(at("h2", 3), half(-128));
  EXPECT_EQ(at("b", 0), 0u);
  EXPECT_EQ(at("b", 1), bfloat(64));
  EXPECT_EQ(at("b2", 0), bfloat(64));
  EXPECT_EQ(at("b2", 1), bfloat(32));
  expect_each<std::uint16_t>(outcome, "old",
                             [](std::size_t t) { return half(static_cast<long double>(t)); });
}

TEST(Half, ShufflesLoadsAndVectors) {
  const char* text = R"(
__global__ void k(const half* in, float* out) {
  int t = threadIdx.x;
  half h = __ldg(in + t), other = __shfl_xor_sync(~0u, h, 1);
  half2 p = __shfl_down_sync(~0u, ((const half2*)in)[t % 16], 1);
  float4 wide = ((const float4*)in)[t % 4]; half2* w = (half2*)&wide;
  __nv_bfloat16 b = __shfl_sync(~0u, __float2bfloat16((float)t), 5);
  out[t] = (float)other * 1000 + __half22float2(p).y + __low2float(w[2]) + (float)b * 10000;
})";
  std::vector<std::uint16_t> in(32);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = half_from_float(static_cast<float>(i));
  const Outcome outcome = run_text(std::string(kHalfHeaders) + text, "k", {1, 1, 1}, {32, 1, 1},
                                   {{{"in", "", "in"},
                                     {"in", ScalarType::f16, 32, Fill::zero},
                                     [&] {
                                       std::vector<std::byte> bytes(64);
                                       std::memcpy(bytes.data(), in.data(), 64);
                                       return bytes;
                                     }()},
                                    buffer<float>("out", 32)});
  expect_each<float>(outcome, "out", [](std::size_t t) {
    const std::size_t source = t < 31 ? (t + 1) % 16 : 15;
    return static_cast<double>((t ^ 1) * 1000 + source * 2 + 1 + t % 4 * 8 + 4 + 50000);
  });
}

}  // namespace
}  // namespace lanescope
