// 8-bit floating point: e4m3 (no infinities, largest 448) and e5m2 (as the upper half of a half), as storage
// with conversions, on the device and on the host.
#pragma once
#include <lanescope_bfloat.h>

LANESCOPE_ROUNDS_EACH

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// To nearest, ties to even: one more bit than the format has at the float's magnitude decides. A double
// comes as the odd float beside it.
LANESCOPE_FN __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  const unsigned bits = __builtin_bit_cast(unsigned, x), sign = bits >> 24 & 0x80u, size = bits & 0x7fffffffu;
  const bool is_e4m3 = kind == __NV_E4M3;
  if (size > 0x7f800000u) return (__nv_fp8_storage_t)(is_e4m3 ? sign | 0x7fu : sign | 0x7eu | (bits >> 21 & 3u));
  const unsigned digits = is_e4m3 ? 3u : 2u, largest = is_e4m3 ? 0x7eu : 0x7bu, beyond = is_e4m3 ? 0x7fu : 0x7cu;
  const float smallest = is_e4m3 ? 0.015625f : 0.00006103515625f;  // normal: 2^-6, 2^-14
  unsigned result;
  if (__builtin_bit_cast(float, size) < smallest) {
    // Adding so much puts the last place that the format has at the float's last bit.
    const float shift = smallest * (is_e4m3 ? 1048576.0f : 2097152.0f);  // 2^(23 - digits)
    result = __builtin_bit_cast(unsigned, __builtin_bit_cast(float, size) + shift) - __builtin_bit_cast(unsigned, shift);
  } else {
    const unsigned drop = 23u - digits, rounded = size + (1u << (drop - 1)) - 1u + (size >> drop & 1u);
    result = (rounded >> drop) - ((is_e4m3 ? 120u : 112u) << digits);
  }
  if (result > largest) result = saturate == __NV_SATFINITE ? largest : beyond;
  return (__nv_fp8_storage_t)(sign | result);
}
LANESCOPE_FN __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(lanescope_odd_float(x), saturate, kind);
}
LANESCOPE_FN __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half(x).lanescope_float(), saturate, kind);
}
LANESCOPE_FN __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__nv_bfloat16(x).lanescope_float(), saturate, kind);
}
// Every number of either is one of half's.
LANESCOPE_FN __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  if (kind == __NV_E5M2) return __half_raw{(unsigned short)((x & 0x7f) > 0x7c ? 0x7fff : x << 8)};
  if ((x & 0x7f) == 0x7f) return __half_raw{0x7fff};
  const unsigned sign = (x & 0x80u) << 8, exponent = x >> 3 & 15u, digits = x & 7u;
  if (exponent != 0) return __half_raw{(unsigned short)(sign | (exponent + 8u) << 10 | digits << 7)};
  return __half_raw{(unsigned short)(sign | __half::of((float)(int)digits * 0.001953125f).lanescope_bits())};  // 2^-9
}
#define LANESCOPE_FP8_PAIR(FROM, PAIR, EACH, LOW, HIGH)                                                                    \
  LANESCOPE_FN __nv_fp8x2_storage_t __nv_cvt_##FROM##_to_fp8x2(PAIR x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) { \
    return (__nv_fp8x2_storage_t)(EACH(LOW, saturate, kind) | EACH(HIGH, saturate, kind) << 8);                            \
  }
LANESCOPE_FP8_PAIR(float2, float2, __nv_cvt_float_to_fp8, x.x, x.y)
LANESCOPE_FP8_PAIR(double2, double2, __nv_cvt_double_to_fp8, x.x, x.y)
LANESCOPE_FP8_PAIR(halfraw2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw{x.x}, __half_raw{x.y})
LANESCOPE_FP8_PAIR(bfloat16raw2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
LANESCOPE_FN __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x, __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}
LANESCOPE_FN float lanescope_fp8(unsigned x, __nv_fp8_interpretation_t kind) {
  return __half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind)).lanescope_float();
}

#define LANESCOPE_FP8_TYPES(NAME, KIND)                                                                              \
  struct __nv_fp8_##NAME {                                                                                            \
    __nv_fp8_storage_t __x;                                                                                           \
    __nv_fp8_##NAME() = default;                                                                                      \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(float v) : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, KIND)) {}        \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(double v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, KIND)) {}      \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(const __half& v) : __nv_fp8_##NAME(v.lanescope_float()) {}               \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(const __nv_bfloat16& v) : __nv_fp8_##NAME(v.lanescope_float()) {}        \
    /* Beyond 2^24 all is beyond the largest number too. */                                                          \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(short v) : __nv_fp8_##NAME((float)v) {}                                 \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(unsigned short v) : __nv_fp8_##NAME((float)v) {}                        \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(int v) : __nv_fp8_##NAME((float)v) {}                                   \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(unsigned v) : __nv_fp8_##NAME((float)v) {}                              \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(long v) : __nv_fp8_##NAME((float)v) {}                                  \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(unsigned long v) : __nv_fp8_##NAME((float)v) {}                         \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(long long v) : __nv_fp8_##NAME((float)v) {}                             \
    explicit LANESCOPE_MEMBER __nv_fp8_##NAME(unsigned long long v) : __nv_fp8_##NAME((float)v) {}                    \
    explicit LANESCOPE_MEMBER operator float() const { return lanescope_fp8(__x, KIND); }                             \
    explicit LANESCOPE_MEMBER operator double() const { return (double)lanescope_fp8(__x, KIND); }                    \
    explicit LANESCOPE_MEMBER operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, KIND)); }          \
    explicit LANESCOPE_MEMBER operator __nv_bfloat16() const { return __nv_bfloat16::of(lanescope_fp8(__x, KIND)); }  \
    explicit LANESCOPE_MEMBER operator int() const { return lanescope_integer<int>(__builtin_truncf(lanescope_fp8(__x, KIND))); } \
    explicit LANESCOPE_MEMBER operator unsigned() const { return lanescope_integer<unsigned>(__builtin_truncf(lanescope_fp8(__x, KIND))); } \
    explicit LANESCOPE_MEMBER operator signed char() const { return lanescope_integer<signed char>(__builtin_truncf(lanescope_fp8(__x, KIND))); } \
    explicit LANESCOPE_MEMBER operator unsigned char() const { return lanescope_integer<unsigned char>(__builtin_truncf(lanescope_fp8(__x, KIND))); } \
    explicit LANESCOPE_MEMBER operator bool() const { return (__x & 0x7f) != 0; }                                     \
  };                                                                                                                  \
  struct __attribute__((aligned(2))) __nv_fp8x2_##NAME {                                                              \
    __nv_fp8x2_storage_t __x;                                                                                         \
    __nv_fp8x2_##NAME() = default;                                                                                    \
    explicit LANESCOPE_MEMBER __nv_fp8x2_##NAME(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, KIND)) {}  \
    explicit LANESCOPE_MEMBER __nv_fp8x2_##NAME(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, KIND)) {} \
    explicit LANESCOPE_MEMBER __nv_fp8x2_##NAME(const __half2& v) : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, KIND)) {} \
    explicit LANESCOPE_MEMBER __nv_fp8x2_##NAME(const __nv_bfloat162& v) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, KIND)) {} \
    explicit LANESCOPE_MEMBER operator float2() const { return make_float2(lanescope_fp8(__x & 0xff, KIND), lanescope_fp8(__x >> 8, KIND)); } \
    explicit LANESCOPE_MEMBER operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND)); }      \
  };                                                                                                                  \
  struct __attribute__((aligned(4))) __nv_fp8x4_##NAME {                                                              \
    __nv_fp8x4_storage_t __x;                                                                                         \
    __nv_fp8x4_##NAME() = default;                                                                                    \
    explicit LANESCOPE_MEMBER __nv_fp8x4_##NAME(float4 v)                                                             \
        : __x(__nv_cvt_float2_to_fp8x2(make_float2(v.x, v.y), __NV_SATFINITE, KIND) |                                 \
              (unsigned)__nv_cvt_float2_to_fp8x2(make_float2(v.z, v.w), __NV_SATFINITE, KIND) << 16) {}               \
    explicit LANESCOPE_MEMBER __nv_fp8x4_##NAME(const __half2& low, const __half2& high)                              \
        : __x(__nv_cvt_halfraw2_to_fp8x2(low, __NV_SATFINITE, KIND) |                                                 \
              (unsigned)__nv_cvt_halfraw2_to_fp8x2(high, __NV_SATFINITE, KIND) << 16) {}                              \
    explicit LANESCOPE_MEMBER __nv_fp8x4_##NAME(const __nv_bfloat162& low, const __nv_bfloat162& high)                \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(low, __NV_SATFINITE, KIND) |                                             \
              (unsigned)__nv_cvt_bfloat16raw2_to_fp8x2(high, __NV_SATFINITE, KIND) << 16) {}                          \
    explicit LANESCOPE_MEMBER __nv_fp8x4_##NAME(double4 v)                                                            \
        : __x(__nv_cvt_double2_to_fp8x2(make_double2(v.x, v.y), __NV_SATFINITE, KIND) |                               \
              (unsigned)__nv_cvt_double2_to_fp8x2(make_double2(v.z, v.w), __NV_SATFINITE, KIND) << 16) {}             \
    explicit LANESCOPE_MEMBER operator float4() const {                                                               \
      return make_float4(lanescope_fp8(__x & 0xff, KIND), lanescope_fp8(__x >> 8 & 0xff, KIND),                       \
                         lanescope_fp8(__x >> 16 & 0xff, KIND), lanescope_fp8(__x >> 24, KIND));                      \
    }                                                                                                                 \
  };
LANESCOPE_FP8_TYPES(e4m3, __NV_E4M3)
LANESCOPE_FP8_TYPES(e5m2, __NV_E5M2)
LANESCOPE_MAY_FUSE
