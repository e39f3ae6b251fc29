// Binary16 and bfloat16 as bits, for the host and the device alike, by integer arithmetic: the host's
// compiler would call library functions for _Float16 that are not everywhere.
#pragma once

#include "lanescope_vectors.h"

LANESCOPE_FN float lanescope_float_of_half(unsigned short h) {
  const unsigned sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 1023u;
  if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
  const float tiny = (float)(int)fraction * 5.9604644775390625e-8f;  // 2^-24
  return sign ? -tiny : tiny;
}
// To nearest, ties to even. Adding 0.5 to what becomes subnormal puts its last place at the last bit.
LANESCOPE_FN unsigned short lanescope_half_of_float(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return 0x7fff;
  if (size >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);
  if (size < 0x38800000u)
    return (unsigned short)(sign | (__builtin_bit_cast(unsigned, __builtin_bit_cast(float, size) + 0.5f) - 0x3f000000u));
  return (unsigned short)(sign | ((size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13));
}
LANESCOPE_FN unsigned short lanescope_bfloat_of_float(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  if (value != value) return 0x7fff;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
// A double that is no float goes to the neighbour with an odd last bit: rounding that once more, to fewer
// bits, is as good as rounding the double.
LANESCOPE_FN float lanescope_odd_float(double value) {
  const float nearest = (float)value;
  const unsigned bits = __builtin_bit_cast(unsigned, nearest);
  const double back = nearest;
  if (back == value || value != value || (bits & 1u)) return nearest;
  return __builtin_bit_cast(float, __builtin_fabs(back) > __builtin_fabs(value) ? bits - 1u : bits + 1u);
}
// The same for a 64-bit integer and a double's 53 bits.
LANESCOPE_FN double lanescope_odd_double(unsigned long long value) {
  if (value >> 53) value = (value & ~0x7ffull) | (value & 0x7ffull ? 0x800ull : 0ull);
  return (double)value;
}
LANESCOPE_FN double lanescope_odd_double(long long value) {
  return value < 0 ? -lanescope_odd_double(0ull - (unsigned long long)value) : lanescope_odd_double((unsigned long long)value);
}

// A whole number as an integer: what does not fit becomes the nearest that does; a NaN is 0, or the
// lowest of 64 bits, as the GPU has it.
template <class _Int> LANESCOPE_FN _Int lanescope_integer(float whole) {
  constexpr bool is_signed = (_Int)-1 < (_Int)1;
  constexpr int bits = (int)sizeof(_Int) * 8;
  constexpr _Int low = is_signed ? (_Int)(1ull << (bits - 1)) : (_Int)0, high = (_Int)~low;
  constexpr float past = 4.0f * (float)(1ull << (bits - (is_signed ? 3 : 2)));
  if (whole != whole) return bits == 64 ? (_Int)(1ull << 63) : (_Int)0;
  if (whole >= past) return high;
  if (whole <= (is_signed ? -past : 0.0f)) return low;
  return (_Int)whole;
}
