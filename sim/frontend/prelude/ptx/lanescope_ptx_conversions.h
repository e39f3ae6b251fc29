// PTX's cvt between integers, and between them and floats; comparisons. Part of lanescope_ptx.h.
#pragma once

#define LANESCOPE_PTX_NUMBERS(EACH)                                                        \
  EACH(u8, unsigned char) EACH(s8, signed char) EACH(u16, unsigned short) EACH(s16, short) \
  EACH(u32, unsigned) EACH(s32, int) EACH(u64, unsigned long long) EACH(s64, long long)

// A narrow result fills its register by its sign: the caller gets 32 bits of it at least.
template <class _Int> struct lanescope_ptx_register { typedef _Int type; };
template <> struct lanescope_ptx_register<signed char> { typedef int type; };
template <> struct lanescope_ptx_register<unsigned char> { typedef unsigned type; };
template <> struct lanescope_ptx_register<short> { typedef int type; };
template <> struct lanescope_ptx_register<unsigned short> { typedef unsigned type; };
template <class _Int> using lanescope_held = typename lanescope_ptx_register<_Int>::type;

template <class _To, class _From> LANESCOPE_DEV _To lanescope_saturate_to(_From v) {
  constexpr bool is_signed = (_To)-1 < (_To)1;
  constexpr _To low = is_signed ? (_To)(1ull << (sizeof(_To) * 8 - 1)) : (_To)0, high = (_To)~low;
  if (v < 0) return !is_signed ? (_To)0 : (long long)v < (long long)low ? low : (_To)v;
  return (unsigned long long)v > (unsigned long long)high ? high : (_To)v;
}
#define LANESCOPE_PTX_BETWEEN(TO, TO_C, FROM, FROM_C)                                                              \
  LANESCOPE_PTX lanescope_held<TO_C> ptx_cvt_##TO##_##FROM(FROM_C a) { return (TO_C)a; }                            \
  LANESCOPE_PTX lanescope_held<TO_C> ptx_cvt_sat_##TO##_##FROM(FROM_C a) { return lanescope_saturate_to<TO_C>(a); }
#define LANESCOPE_PTX_FROM_u8(TO, C) LANESCOPE_PTX_BETWEEN(TO, C, u8, unsigned char)
#define LANESCOPE_PTX_FROM_s8(TO, C) LANESCOPE_PTX_BETWEEN(TO, C, s8, signed char)
#define LANESCOPE_PTX_FROM_u16(TO, C) LANESCOPE_PTX_BETWEEN(TO, C, u16, unsigned short)
#define LANESCOPE_PTX_FROM_s16(TO, C) LANESCOPE_PTX_BETWEEN(TO, C, s16, short)
#define LANESCOPE_PTX_FROM_u32(TO, C) LANESCOPE_PTX_BETWEEN(TO, C, u32, unsigned)
#define LANESCOPE_PTX_FROM_s32(TO, C) LANESCOPE_PTX_BETWEEN(TO, C, s32, int)
#define LANESCOPE_PTX_FROM_u64(TO, C) LANESCOPE_PTX_BETWEEN(TO, C, u64, unsigned long long)
#define LANESCOPE_PTX_FROM_s64(TO, C) LANESCOPE_PTX_BETWEEN(TO, C, s64, long long)
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_FROM_u8)
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_FROM_s8)
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_FROM_u16)
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_FROM_s16)
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_FROM_u32)
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_FROM_s32)
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_FROM_u64)
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_FROM_s64)

// To an integer the value is always held within its bounds; a NaN is 0, or the lowest of 64 bits.
template <class _Int> LANESCOPE_DEV _Int lanescope_integer_of(float whole) { return lanescope_integer<_Int>(whole); }
template <class _Int> LANESCOPE_DEV _Int lanescope_integer_of(double whole) {
  constexpr bool is_signed = (_Int)-1 < (_Int)1;
  constexpr int bits = (int)sizeof(_Int) * 8;
  constexpr _Int low = is_signed ? (_Int)(1ull << (bits - 1)) : (_Int)0, high = (_Int)~low;
  constexpr double past = 4.0 * (double)(1ull << (bits - (is_signed ? 3 : 2)));
  if (whole != whole) return bits == 64 ? (_Int)(1ull << 63) : (_Int)0;
  return whole >= past ? high : whole <= (is_signed ? -past : 0.0) ? low : (_Int)whole;
}
#define LANESCOPE_PTX_TO_NUMBER(TO, C)                                                                                          \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rni_##TO##_f32(float a) { return lanescope_integer_of<C>(__builtin_rintf(a)); }        \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rzi_##TO##_f32(float a) { return lanescope_integer_of<C>(__builtin_truncf(a)); }       \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rmi_##TO##_f32(float a) { return lanescope_integer_of<C>(__builtin_floorf(a)); }       \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rpi_##TO##_f32(float a) { return lanescope_integer_of<C>(__builtin_ceilf(a)); }        \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rni_##TO##_f64(double a) { return lanescope_integer_of<C>(__builtin_rint(a)); }        \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rzi_##TO##_f64(double a) { return lanescope_integer_of<C>(__builtin_trunc(a)); }       \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rmi_##TO##_f64(double a) { return lanescope_integer_of<C>(__builtin_floor(a)); }       \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rpi_##TO##_f64(double a) { return lanescope_integer_of<C>(__builtin_ceil(a)); }        \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rni_##TO##_f16(unsigned short a) { return ptx_cvt_rni_##TO##_f32(ptx_cvt_f32_f16(a)); } \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rzi_##TO##_f16(unsigned short a) { return ptx_cvt_rzi_##TO##_f32(ptx_cvt_f32_f16(a)); } \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rmi_##TO##_f16(unsigned short a) { return ptx_cvt_rmi_##TO##_f32(ptx_cvt_f32_f16(a)); } \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_rpi_##TO##_f16(unsigned short a) { return ptx_cvt_rpi_##TO##_f32(ptx_cvt_f32_f16(a)); } \
  LANESCOPE_PTX float ptx_cvt_f32_##TO(C a) { return (float)a; }                                                                 \
  LANESCOPE_PTX double ptx_cvt_f64_##TO(C a) { return (double)a; }
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_TO_NUMBER)
// The bounds hold with .sat and without.
#define LANESCOPE_PTX_HELD(TO, C, MODE)                                                                                         \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_##MODE##_sat_##TO##_f32(float a) { return ptx_cvt_##MODE##_##TO##_f32(a); }            \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_##MODE##_sat_##TO##_f64(double a) { return ptx_cvt_##MODE##_##TO##_f64(a); }           \
  LANESCOPE_PTX lanescope_held<C> ptx_cvt_##MODE##_sat_##TO##_f16(unsigned short a) { return ptx_cvt_##MODE##_##TO##_f16(a); }
#define LANESCOPE_PTX_HELD_IN_ALL_MODES(TO, C)                                                          \
  LANESCOPE_PTX_HELD(TO, C, rni) LANESCOPE_PTX_HELD(TO, C, rzi) LANESCOPE_PTX_HELD(TO, C, rmi) LANESCOPE_PTX_HELD(TO, C, rpi)
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_HELD_IN_ALL_MODES)
// Two integers side by side, the second in the lower bits; of bytes, two of a third above them.
#define LANESCOPE_PTX_PACK(TYPE, C)                                                                     \
  LANESCOPE_PTX unsigned ptx_cvt_pack_sat_##TYPE##_s32_b32(int a, int b, unsigned c) {                  \
    return c << 16 | (unsigned)(unsigned char)lanescope_saturate_to<C>(a) << 8 | (unsigned char)lanescope_saturate_to<C>(b); \
  }
LANESCOPE_PTX_PACK(s8, signed char)
LANESCOPE_PTX_PACK(u8, unsigned char)
// Of what is no float exactly, all is beyond the largest half.
#define LANESCOPE_PTX_HALF_OF(FROM, C) \
  LANESCOPE_PTX unsigned short ptx_cvt_f16_##FROM(C a) { return __half::of((float)a).lanescope_bits(); }
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_HALF_OF)

LANESCOPE_PTX double ptx_cvt_f64_f32(float a) { return a; }
LANESCOPE_PTX float ptx_cvt_f32_f64(double a) { return (float)a; }
LANESCOPE_PTX unsigned short ptx_cvt_f16_f16(unsigned short a) { return a; }
#define LANESCOPE_PTX_WHOLE_HALF(MODE, FUNCTION) \
  LANESCOPE_PTX unsigned short ptx_cvt_##MODE##_f16_f16(unsigned short a) { return ptx_cvt_f16_f32(FUNCTION(ptx_cvt_f32_f16(a))); }
LANESCOPE_PTX_WHOLE_HALF(rni, __builtin_rintf)
LANESCOPE_PTX_WHOLE_HALF(rzi, __builtin_truncf)
LANESCOPE_PTX_WHOLE_HALF(rmi, __builtin_floorf)
LANESCOPE_PTX_WHOLE_HALF(rpi, __builtin_ceilf)
// tf32 is a float without its last 13 bits; rna rounds halves away from zero.
LANESCOPE_PTX unsigned lanescope_tf32(float a, unsigned half) {
  const unsigned bits = __builtin_bit_cast(unsigned, a);
  return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + half) & 0xffffe000u;
}
LANESCOPE_PTX unsigned ptx_cvt_rna_tf32_f32(float a) { return lanescope_tf32(a, 0x1000u); }
LANESCOPE_PTX unsigned ptx_cvt_tf32_f32(float a) {
  return lanescope_tf32(a, 0xfffu + (__builtin_bit_cast(unsigned, a) >> 13 & 1u));
}
LANESCOPE_PTX unsigned ptx_cvt_rz_tf32_f32(float a) { return lanescope_tf32(a, 0); }
#define LANESCOPE_PTX_FP8(TYPE, KIND)                                                                             \
  LANESCOPE_PTX unsigned short ptx_cvt_##TYPE##x2_f32(float a, float b) {                                          \
    return (unsigned short)(__nv_cvt_float_to_fp8(b, __NV_SATFINITE, KIND) |                                       \
                            __nv_cvt_float_to_fp8(a, __NV_SATFINITE, KIND) << 8);                                  \
  }                                                                                                               \
  LANESCOPE_PTX unsigned short ptx_cvt_##TYPE##x2_f16x2(unsigned a) {                                              \
    return ptx_cvt_##TYPE##x2_f32(ptx_cvt_f32_f16((unsigned short)(a >> 16)), ptx_cvt_f32_f16((unsigned short)a)); \
  }                                                                                                               \
  LANESCOPE_PTX unsigned ptx_cvt_f16x2_##TYPE##x2(unsigned short a) {                                              \
    return __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)a, KIND).x |                                                \
           (unsigned)__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(a >> 8), KIND).x << 16;                          \
  }
LANESCOPE_PTX_FP8(e4m3, __NV_E4M3)
LANESCOPE_PTX_FP8(e5m2, __NV_E5M2)

// ---- comparisons: setp and set ----

#define LANESCOPE_PTX_ORDER(TYPE, C)                                                     \
  LANESCOPE_PTX bool ptx_is_eq_##TYPE(C a, C b) { return a == b; }                       \
  LANESCOPE_PTX bool ptx_is_ne_##TYPE(C a, C b) { return a != b; }                       \
  LANESCOPE_PTX bool ptx_is_lt_##TYPE(C a, C b) { return a < b; }                        \
  LANESCOPE_PTX bool ptx_is_le_##TYPE(C a, C b) { return a <= b; }                       \
  LANESCOPE_PTX bool ptx_is_gt_##TYPE(C a, C b) { return a > b; }                        \
  LANESCOPE_PTX bool ptx_is_ge_##TYPE(C a, C b) { return a >= b; }
#define LANESCOPE_PTX_UNSIGNED_ORDER(TYPE, C)                                            \
  LANESCOPE_PTX bool ptx_is_lo_##TYPE(C a, C b) { return a < b; }                        \
  LANESCOPE_PTX bool ptx_is_ls_##TYPE(C a, C b) { return a <= b; }                       \
  LANESCOPE_PTX bool ptx_is_hi_##TYPE(C a, C b) { return a > b; }                        \
  LANESCOPE_PTX bool ptx_is_hs_##TYPE(C a, C b) { return a >= b; }
LANESCOPE_PTX_NUMBERS(LANESCOPE_PTX_ORDER)
LANESCOPE_PTX_UNSIGNED_ORDER(u16, unsigned short)
LANESCOPE_PTX_UNSIGNED_ORDER(u32, unsigned)
LANESCOPE_PTX_UNSIGNED_ORDER(u64, unsigned long long)
LANESCOPE_PTX_ORDER(b16, unsigned short)
LANESCOPE_PTX_ORDER(b32, unsigned)
LANESCOPE_PTX_ORDER(b64, unsigned long long)
// Ordered ones are false of a NaN, unordered ones (u) true.
#define LANESCOPE_PTX_FLOAT_ORDER(TYPE, C, X, Y)                                                     \
  LANESCOPE_PTX bool ptx_is_eq_##TYPE(C a, C b) { return X == Y; }                                   \
  LANESCOPE_PTX bool ptx_is_ne_##TYPE(C a, C b) { return X < Y || X > Y; }                           \
  LANESCOPE_PTX bool ptx_is_lt_##TYPE(C a, C b) { return X < Y; }                                    \
  LANESCOPE_PTX bool ptx_is_le_##TYPE(C a, C b) { return X <= Y; }                                   \
  LANESCOPE_PTX bool ptx_is_gt_##TYPE(C a, C b) { return X > Y; }                                    \
  LANESCOPE_PTX bool ptx_is_ge_##TYPE(C a, C b) { return X >= Y; }                                   \
  LANESCOPE_PTX bool ptx_is_equ_##TYPE(C a, C b) { return !(X < Y || X > Y); }                       \
  LANESCOPE_PTX bool ptx_is_neu_##TYPE(C a, C b) { return X != Y; }                                  \
  LANESCOPE_PTX bool ptx_is_ltu_##TYPE(C a, C b) { return !(X >= Y); }                               \
  LANESCOPE_PTX bool ptx_is_leu_##TYPE(C a, C b) { return !(X > Y); }                                \
  LANESCOPE_PTX bool ptx_is_gtu_##TYPE(C a, C b) { return !(X <= Y); }                               \
  LANESCOPE_PTX bool ptx_is_geu_##TYPE(C a, C b) { return !(X < Y); }                                \
  LANESCOPE_PTX bool ptx_is_num_##TYPE(C a, C b) { return X == X && Y == Y; }                        \
  LANESCOPE_PTX bool ptx_is_nan_##TYPE(C a, C b) { return X != X || Y != Y; }
LANESCOPE_PTX_FLOAT_ORDER(f32, float, a, b)
LANESCOPE_PTX_FLOAT_ORDER(f64, double, a, b)
LANESCOPE_PTX_FLOAT_ORDER(f16, unsigned short, ptx_cvt_f32_f16(a), ptx_cvt_f32_f16(b))
LANESCOPE_PTX_FLOAT_ORDER(bf16, unsigned short, ptx_cvt_f32_bf16(a), ptx_cvt_f32_bf16(b))
