// What the expressions of lower/operations.def call: one lane's arithmetic where C++ has no operator
// for it, or leaves it undefined. The functions are `static`, so that each file that is compiled for
// another processor keeps its own copies.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "machine/gpu_functions.h"

namespace lanescope {

/// Float to integer as PTX's cvt.rzi does it: NaN is 0, out of range saturates. `low` and `high`
/// are the first numbers that do.
template <class I, class F>
static inline I saturate(F x, F low, F high) {
  if (x != x) return 0;
  if (x <= low) return std::numeric_limits<I>::min();
  if (x >= high) return std::numeric_limits<I>::max();
  return static_cast<I>(x);
}
template <class F>
static inline std::int32_t saturate_s32(F x) {
  return saturate<std::int32_t, F>(x, F(-2147483648.0), F(2147483648.0));
}
template <class F>
static inline std::uint32_t saturate_u32(F x) {
  return saturate<std::uint32_t, F>(x, F(0), F(4294967296.0));
}
template <class F>
static inline std::int64_t saturate_s64(F x) {
  return saturate<std::int64_t, F>(x, F(-9223372036854775808.0), F(9223372036854775808.0));
}
template <class F>
static inline std::uint64_t saturate_u64(F x) {
  return saturate<std::uint64_t, F>(x, F(0), F(18446744073709551616.0));
}

static inline float bits_to_float(std::uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

/// IEEE 754 binary16, in the low bits, to binary32; a NaN keeps its payload.
static inline float half_to_float(std::uint32_t h) {
  const std::uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 0x1f, fraction = h & 0x3ff;
  if (exponent == 0x1f) return bits_to_float(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return bits_to_float(sign | (exponent + 112) << 23 | fraction << 13);
  const float tiny = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
  return sign != 0 ? -tiny : tiny;
}

/// Binary32 to binary16, rounded to nearest, ties to even; a NaN is 0x7fff as the GPU's.
static inline std::uint32_t float_to_half(float f) {
  std::uint32_t x;
  std::memcpy(&x, &f, 4);
  const std::uint32_t sign = x >> 16 & 0x8000u;
  x &= 0x7fffffffu;
  if (x > 0x7f800000u) return 0x7fffu;
  if (x >= 0x477ff000u) return sign | 0x7c00u;
  if (x < 0x38800000u) {  // subnormal half: add a power of two that puts its last place at bit 0
    float magnitude;
    std::memcpy(&magnitude, &x, 4);
    magnitude += 0.5f;
    std::memcpy(&x, &magnitude, 4);
    return sign | (x - 0x3f000000u);
  }
  return sign | ((x - 0x38000000u + 0xfffu + (x >> 13 & 1)) >> 13);
}

/// The float next to x on the side of the odd last bit, where x is not a float: what is rounded again
/// to fewer bits is then as if rounded once.
static inline float double_to_odd_float(double x) {
  const float nearest = static_cast<float>(x);
  std::uint32_t bits;
  std::memcpy(&bits, &nearest, 4);
  const double back = nearest;
  if (back == x || x != x || (bits & 1) != 0) return nearest;
  return bits_to_float(std::fabs(back) > std::fabs(x) ? bits - 1 : bits + 1);
}
/// Binary64 to binary16 in one rounding.
static inline std::uint32_t double_to_half(double x) {
  return float_to_half(double_to_odd_float(x));
}
/// x * y + z in one rounding: the product is exact as a double, and the sum either is too or lies away
/// from where a half is rounded. A NaN is the GPU's, whatever NaNs it came from.
static inline std::uint32_t half_fma(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const double product =
      static_cast<double>(half_to_float(x)) * static_cast<double>(half_to_float(y));
  const double sum = product + static_cast<double>(half_to_float(z));
  return sum != sum ? 0x7fffu : double_to_half(sum);
}

/// bfloat16 is the upper half of a binary32.
static inline float bfloat_to_float(std::uint32_t b) { return bits_to_float(b << 16); }
/// Binary32 to bfloat16, rounded to nearest, ties to even; a NaN is 0x7fff as the GPU's.
static inline std::uint32_t float_to_bfloat(float f) {
  if (f != f) return 0x7fffu;
  std::uint32_t x;
  std::memcpy(&x, &f, 4);
  return (x + 0x7fffu + (x >> 16 & 1)) >> 16;
}
static inline std::uint32_t bfloat_fma(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const double product =
      static_cast<double>(bfloat_to_float(x)) * static_cast<double>(bfloat_to_float(y));
  return float_to_bfloat(double_to_odd_float(product + static_cast<double>(bfloat_to_float(z))));
}

static inline std::uint32_t reverse_bits(std::uint32_t x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  return __builtin_bswap32(x);
}

/// The quotient, rounded towards zero; all ones when y is 0.
template <class T>
static inline T quotient_of(T x, T y) {
  using U = std::make_unsigned_t<T>;
  if (y == 0) return static_cast<T>(~T{0});
  if (std::is_signed_v<T> && y == static_cast<T>(-1))
    return static_cast<T>(U{0} - static_cast<U>(x));
  return static_cast<T>(x / y);
}

/// What `quotient_of` leaves, with the sign of x; x when y is 0.
template <class T>
static inline T remainder_of(T x, T y) {
  if (y == 0) return x;
  if (std::is_signed_v<T> && y == static_cast<T>(-1)) return T{0};
  return static_cast<T>(x % y);
}

/// The upper half of high:low shifted left by `by` modulo the width.
template <class T>
static inline T funnel_left(T high, T low, T by) {
  constexpr T kBits = sizeof(T) * 8;
  const T shift = by % kBits;
  return shift == 0 ? high : high << shift | low >> (kBits - shift);
}

}  // namespace lanescope
