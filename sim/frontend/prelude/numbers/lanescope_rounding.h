// Arithmetic and conversions that round towards zero (rz), up (ru) or down (rd). All are made from the
// nearest result, and from the sign of what it leaves over, which is computed without an error.
#pragma once

LANESCOPE_ROUNDS_EACH

// The neighbour of a finite x: away from zero, or towards it.
LANESCOPE_DEV float lanescope_outward(float x) {
  return x == 0.0f ? __builtin_bit_cast(float, 1) : __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) + 1);
}
LANESCOPE_DEV float lanescope_inward(float x) { return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) - 1); }
LANESCOPE_DEV double lanescope_outward(double x) {
  return x == 0.0 ? __builtin_bit_cast(double, 1ll) : __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, x) + 1);
}
LANESCOPE_DEV double lanescope_inward(double x) {
  return __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, x) - 1);
}
template <class _Float> LANESCOPE_DEV _Float lanescope_above(_Float x) {
  return x == 0 ? lanescope_outward(_Float(0)) : x > 0 ? lanescope_outward(x) : lanescope_inward(x);
}
template <class _Float> LANESCOPE_DEV _Float lanescope_below(_Float x) { return -lanescope_above(-x); }

// `left` has the sign of the exact result minus `nearest`; 0 (or a NaN) where there is nothing to correct.
struct lanescope_rz {
  template <class _Float, class _Rest> static __device__ inline _Float of(_Float nearest, _Rest left) {
    return nearest > 0 && left < 0 ? lanescope_below(nearest) : nearest < 0 && left > 0 ? lanescope_above(nearest) : nearest;
  }
  static constexpr bool kMinusZero = false;
};
struct lanescope_ru {
  template <class _Float, class _Rest> static __device__ inline _Float of(_Float nearest, _Rest left) {
    return left > 0 && nearest < __builtin_inf() ? lanescope_above(nearest) : nearest;
  }
  static constexpr bool kMinusZero = false;
};
struct lanescope_rd {
  template <class _Float, class _Rest> static __device__ inline _Float of(_Float nearest, _Rest left) {
    return left < 0 && nearest > -__builtin_inf() ? lanescope_below(nearest) : nearest;
  }
  static constexpr bool kMinusZero = true;
};

// What a + b leaves over when it is rounded to `sum`.
LANESCOPE_DEV double lanescope_sum_rest(double a, double b, double sum) {
  const double virtual_b = sum - a;
  return (a - (sum - virtual_b)) + (b - virtual_b);
}
// A float from the exact value high + low, where |low| is at most half a last place of high.
template <class _Mode> LANESCOPE_DEV float lanescope_to_float(double high, double low) {
  const float nearest = (float)high;
  const double gap = high - (double)nearest;
  // An overflow is infinitely far off, and its sign is right; infinity itself leaves a NaN.
  return _Mode::of(nearest, gap != 0 ? gap : low);
}
// x + y = 0 is -0 when rounding down, unless both are +0.
template <class _Mode> LANESCOPE_DEV float lanescope_add(double a, double b) {
  const double sum = a + b;
  if (sum == 0.0 && a != 0.0) return _Mode::kMinusZero ? -0.0f : 0.0f;
  if (_Mode::kMinusZero && sum == 0.0 && __builtin_bit_cast(long long, a) != __builtin_bit_cast(long long, b)) return -0.0f;
  return lanescope_to_float<_Mode>(sum, lanescope_sum_rest(a, b, sum));
}
template <class _Mode> LANESCOPE_DEV float lanescope_divide(float a, float b) {
  const float nearest = a / b;
  if (!(__builtin_fabsf(a) < __builtin_inff()) || !(__builtin_fabsf(b) < __builtin_inff()) || b == 0.0f) return nearest;
  if (!(__builtin_fabsf(nearest) < __builtin_inff())) return _Mode::of(nearest, -nearest);
  const double rest = (double)a - (double)nearest * (double)b;
  const bool flip = b < 0.0f;
  if (nearest != 0.0f || a == 0.0f) return _Mode::of(nearest, flip ? -rest : rest);
  // The quotient is too small for any float: zero with its sign.
  const bool negative = __builtin_bit_cast(unsigned, nearest) >> 31;
  const float moved = _Mode::of(nearest, negative ? -1.0f : 1.0f);
  return moved;
}
template <class _Mode> LANESCOPE_DEV float lanescope_root(float x) {
  const float nearest = __builtin_sqrtf(x);
  return nearest < __builtin_inff() ? _Mode::of(nearest, (double)x - (double)nearest * (double)nearest) : nearest;
}
// A double's sum: overflow leaves no finite rest, but its sign is known.
template <class _Mode> LANESCOPE_DEV double lanescope_add_double(double a, double b) {
  const double sum = a + b, infinity = __builtin_inf();
  if (sum == 0.0 && a != 0.0) return _Mode::kMinusZero ? -0.0 : 0.0;
  if (_Mode::kMinusZero && sum == 0.0 && __builtin_bit_cast(long long, a) != __builtin_bit_cast(long long, b)) return -0.0;
  if (!(__builtin_fabs(sum) < infinity))
    return __builtin_fabs(a) < infinity && __builtin_fabs(b) < infinity ? _Mode::of(sum, -sum) : sum;
  return _Mode::of(sum, lanescope_sum_rest(a, b, sum));
}

#define LANESCOPE_DIRECTED(MODE)                                                                            \
  LANESCOPE_DEV float __fadd_##MODE(float x, float y) { return lanescope_add<lanescope_##MODE>(x, y); }      \
  LANESCOPE_DEV float __fsub_##MODE(float x, float y) { return lanescope_add<lanescope_##MODE>(x, -y); }     \
  LANESCOPE_DEV float __fmul_##MODE(float x, float y) {                                                     \
    return lanescope_to_float<lanescope_##MODE>((double)x * (double)y, 0.0);                                \
  }                                                                                                         \
  LANESCOPE_DEV float __fmaf_##MODE(float x, float y, float z) {                                            \
    return lanescope_add<lanescope_##MODE>((double)x * (double)y, z);                                       \
  }                                                                                                         \
  LANESCOPE_DEV float __fdiv_##MODE(float x, float y) { return lanescope_divide<lanescope_##MODE>(x, y); }   \
  LANESCOPE_DEV float __frcp_##MODE(float x) { return lanescope_divide<lanescope_##MODE>(1.0f, x); }         \
  LANESCOPE_DEV float __fsqrt_##MODE(float x) { return lanescope_root<lanescope_##MODE>(x); }                \
  LANESCOPE_DEV double __dadd_##MODE(double x, double y) { return lanescope_add_double<lanescope_##MODE>(x, y); } \
  LANESCOPE_DEV double __dsub_##MODE(double x, double y) { return lanescope_add_double<lanescope_##MODE>(x, -y); } \
  LANESCOPE_DEV float __double2float_##MODE(double x) { return lanescope_to_float<lanescope_##MODE>(x, 0.0); } \
  LANESCOPE_DEV float __int2float_##MODE(int x) { return __double2float_##MODE(x); }                         \
  LANESCOPE_DEV float __uint2float_##MODE(unsigned x) { return __double2float_##MODE(x); }                   \
  LANESCOPE_DEV float __ll2float_##MODE(long long x) { return lanescope_from_ll<lanescope_##MODE, float>(x); } \
  LANESCOPE_DEV double __ll2double_##MODE(long long x) { return lanescope_from_ll<lanescope_##MODE, double>(x); } \
  LANESCOPE_DEV float __ull2float_##MODE(unsigned long long x) { return lanescope_from_ull<lanescope_##MODE, float>(x); } \
  LANESCOPE_DEV double __ull2double_##MODE(unsigned long long x) { return lanescope_from_ull<lanescope_##MODE, double>(x); }

// The largest integers become 2^63 or 2^64, which no integer of theirs can hold.
template <class _Mode, class _Float> LANESCOPE_DEV _Float lanescope_from_ll(long long x) {
  const _Float nearest = (_Float)x;
  if (nearest >= (_Float)9223372036854775808.0) return _Mode::of(nearest, -1);
  const long long back = (long long)nearest;
  return _Mode::of(nearest, x > back ? 1 : x < back ? -1 : 0);
}
template <class _Mode, class _Float> LANESCOPE_DEV _Float lanescope_from_ull(unsigned long long x) {
  const _Float nearest = (_Float)x;
  if (nearest >= (_Float)18446744073709551616.0) return _Mode::of(nearest, -1);
  const unsigned long long back = (unsigned long long)nearest;
  return _Mode::of(nearest, x > back ? 1 : x < back ? -1 : 0);
}
LANESCOPE_DIRECTED(rz)
LANESCOPE_DIRECTED(ru)
LANESCOPE_DIRECTED(rd)

LANESCOPE_DEV double __dsub_rn(double x, double y) { return x - y; }
LANESCOPE_DEV double __ddiv_rn(double x, double y) { return x / y; }
LANESCOPE_DEV double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
LANESCOPE_DEV double __drcp_rn(double x) { return 1.0 / x; }
LANESCOPE_DEV double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
LANESCOPE_DEV float __fmaf_ieee_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
LANESCOPE_DEV float __frsqrt_rn(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }

// ---- bits ----

LANESCOPE_FN int __double2hiint(double x) { return (int)(__builtin_bit_cast(unsigned long long, x) >> 32); }
LANESCOPE_FN int __double2loint(double x) { return (int)__builtin_bit_cast(unsigned long long, x); }
LANESCOPE_FN double __hiloint2double(int hi, int lo) {
  return __builtin_bit_cast(double, ((unsigned long long)(unsigned)hi << 32) | (unsigned)lo);
}
LANESCOPE_MAY_FUSE
