// Device math: each function is the compiler's own built-in, so it becomes one IR operation.
#pragma once

LANESCOPE_ROUNDS_EACH

LANESCOPE_MATH float sqrtf(float x) { return __builtin_sqrtf(x); }
LANESCOPE_MATH double sqrt(double x) { return __builtin_sqrt(x); }
LANESCOPE_MATH float sqrt(float x) { return __builtin_sqrtf(x); }
LANESCOPE_MATH float sinf(float x) { return __builtin_sinf(x); }
LANESCOPE_MATH double sin(double x) { return __builtin_sin(x); }
LANESCOPE_MATH float sin(float x) { return __builtin_sinf(x); }
LANESCOPE_MATH float cosf(float x) { return __builtin_cosf(x); }
LANESCOPE_MATH double cos(double x) { return __builtin_cos(x); }
LANESCOPE_MATH float cos(float x) { return __builtin_cosf(x); }
LANESCOPE_MATH float tanf(float x) { return __builtin_tanf(x); }
LANESCOPE_MATH double tan(double x) { return __builtin_tan(x); }
LANESCOPE_MATH float tan(float x) { return __builtin_tanf(x); }
LANESCOPE_MATH float asinf(float x) { return __builtin_asinf(x); }
LANESCOPE_MATH double asin(double x) { return __builtin_asin(x); }
LANESCOPE_MATH float asin(float x) { return __builtin_asinf(x); }
LANESCOPE_MATH float acosf(float x) { return __builtin_acosf(x); }
LANESCOPE_MATH double acos(double x) { return __builtin_acos(x); }
LANESCOPE_MATH float acos(float x) { return __builtin_acosf(x); }
LANESCOPE_MATH float atanf(float x) { return __builtin_atanf(x); }
LANESCOPE_MATH double atan(double x) { return __builtin_atan(x); }
LANESCOPE_MATH float atan(float x) { return __builtin_atanf(x); }
LANESCOPE_MATH float sinhf(float x) { return __builtin_sinhf(x); }
LANESCOPE_MATH double sinh(double x) { return __builtin_sinh(x); }
LANESCOPE_MATH float sinh(float x) { return __builtin_sinhf(x); }
LANESCOPE_MATH float coshf(float x) { return __builtin_coshf(x); }
LANESCOPE_MATH double cosh(double x) { return __builtin_cosh(x); }
LANESCOPE_MATH float cosh(float x) { return __builtin_coshf(x); }
LANESCOPE_MATH float tanhf(float x) { return __builtin_tanhf(x); }
LANESCOPE_MATH double tanh(double x) { return __builtin_tanh(x); }
LANESCOPE_MATH float tanh(float x) { return __builtin_tanhf(x); }
LANESCOPE_MATH float asinhf(float x) { return __builtin_asinhf(x); }
LANESCOPE_MATH double asinh(double x) { return __builtin_asinh(x); }
LANESCOPE_MATH float asinh(float x) { return __builtin_asinhf(x); }
LANESCOPE_MATH float acoshf(float x) { return __builtin_acoshf(x); }
LANESCOPE_MATH double acosh(double x) { return __builtin_acosh(x); }
LANESCOPE_MATH float acosh(float x) { return __builtin_acoshf(x); }
LANESCOPE_MATH float atanhf(float x) { return __builtin_atanhf(x); }
LANESCOPE_MATH double atanh(double x) { return __builtin_atanh(x); }
LANESCOPE_MATH float atanh(float x) { return __builtin_atanhf(x); }
LANESCOPE_MATH float expf(float x) { return __builtin_expf(x); }
LANESCOPE_MATH double exp(double x) { return __builtin_exp(x); }
LANESCOPE_MATH float exp(float x) { return __builtin_expf(x); }
LANESCOPE_MATH float exp2f(float x) { return __builtin_exp2f(x); }
LANESCOPE_MATH double exp2(double x) { return __builtin_exp2(x); }
LANESCOPE_MATH float exp2(float x) { return __builtin_exp2f(x); }
LANESCOPE_MATH float expm1f(float x) { return __builtin_expm1f(x); }
LANESCOPE_MATH double expm1(double x) { return __builtin_expm1(x); }
LANESCOPE_MATH float expm1(float x) { return __builtin_expm1f(x); }
LANESCOPE_MATH float logf(float x) { return __builtin_logf(x); }
LANESCOPE_MATH double log(double x) { return __builtin_log(x); }
LANESCOPE_MATH float log(float x) { return __builtin_logf(x); }
LANESCOPE_MATH float log2f(float x) { return __builtin_log2f(x); }
LANESCOPE_MATH double log2(double x) { return __builtin_log2(x); }
LANESCOPE_MATH float log2(float x) { return __builtin_log2f(x); }
LANESCOPE_MATH float log10f(float x) { return __builtin_log10f(x); }
LANESCOPE_MATH double log10(double x) { return __builtin_log10(x); }
LANESCOPE_MATH float log10(float x) { return __builtin_log10f(x); }
LANESCOPE_MATH float log1pf(float x) { return __builtin_log1pf(x); }
LANESCOPE_MATH double log1p(double x) { return __builtin_log1p(x); }
LANESCOPE_MATH float log1p(float x) { return __builtin_log1pf(x); }
LANESCOPE_MATH float cbrtf(float x) { return __builtin_cbrtf(x); }
LANESCOPE_MATH double cbrt(double x) { return __builtin_cbrt(x); }
LANESCOPE_MATH float cbrt(float x) { return __builtin_cbrtf(x); }
LANESCOPE_MATH float floorf(float x) { return __builtin_floorf(x); }
LANESCOPE_MATH double floor(double x) { return __builtin_floor(x); }
LANESCOPE_MATH float floor(float x) { return __builtin_floorf(x); }
LANESCOPE_MATH float ceilf(float x) { return __builtin_ceilf(x); }
LANESCOPE_MATH double ceil(double x) { return __builtin_ceil(x); }
LANESCOPE_MATH float ceil(float x) { return __builtin_ceilf(x); }
LANESCOPE_MATH float truncf(float x) { return __builtin_truncf(x); }
LANESCOPE_MATH double trunc(double x) { return __builtin_trunc(x); }
LANESCOPE_MATH float trunc(float x) { return __builtin_truncf(x); }
LANESCOPE_MATH float roundf(float x) { return __builtin_roundf(x); }
LANESCOPE_MATH double round(double x) { return __builtin_round(x); }
LANESCOPE_MATH float round(float x) { return __builtin_roundf(x); }
LANESCOPE_MATH float rintf(float x) { return __builtin_rintf(x); }
LANESCOPE_MATH double rint(double x) { return __builtin_rint(x); }
LANESCOPE_MATH float nearbyintf(float x) { return __builtin_nearbyintf(x); }
LANESCOPE_MATH double nearbyint(double x) { return __builtin_nearbyint(x); }
LANESCOPE_MATH float fabsf(float x) { return __builtin_fabsf(x); }
LANESCOPE_MATH double fabs(double x) { return __builtin_fabs(x); }
LANESCOPE_MATH float fabs(float x) { return __builtin_fabsf(x); }
LANESCOPE_MATH float erff(float x) { return __builtin_erff(x); }
LANESCOPE_MATH double erf(double x) { return __builtin_erf(x); }
LANESCOPE_MATH float erf(float x) { return __builtin_erff(x); }
LANESCOPE_MATH float erfcf(float x) { return __builtin_erfcf(x); }
LANESCOPE_MATH double erfc(double x) { return __builtin_erfc(x); }
LANESCOPE_MATH float erfc(float x) { return __builtin_erfcf(x); }
LANESCOPE_MATH float tgammaf(float x) { return __builtin_tgammaf(x); }
LANESCOPE_MATH double tgamma(double x) { return __builtin_tgamma(x); }
LANESCOPE_MATH float tgamma(float x) { return __builtin_tgammaf(x); }
LANESCOPE_MATH float lgammaf(float x) { return __builtin_lgammaf(x); }
LANESCOPE_MATH double lgamma(double x) { return __builtin_lgamma(x); }
LANESCOPE_MATH float lgamma(float x) { return __builtin_lgammaf(x); }
LANESCOPE_MATH float fmodf(float x, float y) { return __builtin_fmodf(x, y); }
LANESCOPE_MATH double fmod(double x, double y) { return __builtin_fmod(x, y); }
LANESCOPE_MATH float fmod(float x, float y) { return __builtin_fmodf(x, y); }
LANESCOPE_MATH float remainderf(float x, float y) { return __builtin_remainderf(x, y); }
LANESCOPE_MATH double remainder(double x, double y) { return __builtin_remainder(x, y); }
LANESCOPE_MATH float remainder(float x, float y) { return __builtin_remainderf(x, y); }
LANESCOPE_MATH float powf(float x, float y) { return __builtin_powf(x, y); }
LANESCOPE_MATH double pow(double x, double y) { return __builtin_pow(x, y); }
LANESCOPE_MATH float pow(float x, float y) { return __builtin_powf(x, y); }
LANESCOPE_MATH float atan2f(float x, float y) { return __builtin_atan2f(x, y); }
LANESCOPE_MATH double atan2(double x, double y) { return __builtin_atan2(x, y); }
LANESCOPE_MATH float atan2(float x, float y) { return __builtin_atan2f(x, y); }
LANESCOPE_MATH float fminf(float x, float y) { return __builtin_fminf(x, y); }
LANESCOPE_MATH double fmin(double x, double y) { return __builtin_fmin(x, y); }
LANESCOPE_MATH float fmin(float x, float y) { return __builtin_fminf(x, y); }
LANESCOPE_MATH float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
LANESCOPE_MATH double fmax(double x, double y) { return __builtin_fmax(x, y); }
LANESCOPE_MATH float fmax(float x, float y) { return __builtin_fmaxf(x, y); }
LANESCOPE_MATH float hypotf(float x, float y) { return __builtin_hypotf(x, y); }
LANESCOPE_MATH double hypot(double x, double y) { return __builtin_hypot(x, y); }
LANESCOPE_MATH float hypot(float x, float y) { return __builtin_hypotf(x, y); }
LANESCOPE_MATH float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
LANESCOPE_MATH double copysign(double x, double y) { return __builtin_copysign(x, y); }
LANESCOPE_MATH float copysign(float x, float y) { return __builtin_copysignf(x, y); }
LANESCOPE_MATH float fdimf(float x, float y) { return __builtin_fdimf(x, y); }
LANESCOPE_MATH double fdim(double x, double y) { return __builtin_fdim(x, y); }
LANESCOPE_MATH float fdim(float x, float y) { return __builtin_fdimf(x, y); }
LANESCOPE_MATH float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
LANESCOPE_MATH double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
LANESCOPE_MATH float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
LANESCOPE_FN float rsqrtf(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }
LANESCOPE_FN double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
LANESCOPE_FN float rsqrt(float x) { return rsqrtf(x); }
LANESCOPE_MATH float exp10f(float x) { return (float)__builtin_pow(10.0, (double)x); }
// The fast ones are the GPU's powers and logarithms of two, and a product that rounds.
LANESCOPE_MATH float __expf(float x) { return __builtin_exp2f(x * 1.44269504f); }
LANESCOPE_MATH float __exp10f(float x) { return __builtin_exp2f(x * 3.32192809f); }
LANESCOPE_MATH float __logf(float x) { return __builtin_log2f(x) * 0.693147181f; }
LANESCOPE_MATH float __log2f(float x) { return __builtin_log2f(x); }
LANESCOPE_MATH float __log10f(float x) { return __builtin_log10f(x); }
LANESCOPE_MATH float __sinf(float x) { return __builtin_sinf(x); }
LANESCOPE_MATH float __cosf(float x) { return __builtin_cosf(x); }
LANESCOPE_MATH float __tanf(float x) { return __builtin_tanf(x); }
LANESCOPE_MATH float __powf(float x, float y) { return __builtin_exp2f(y * __builtin_log2f(x)); }
// By the reciprocal, which is 0 where it would have fewer digits than others.
LANESCOPE_FN float __fdividef(float x, float y) {
  const float reciprocal = 1.0f / y;
  return x * (__builtin_fabsf(reciprocal) < 1.17549435e-38f ? __builtin_copysignf(0.0f, y) : reciprocal);
}
LANESCOPE_FN float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
LANESCOPE_MATH void sincosf(float x, float* s, float* c) { *s = __builtin_sinf(x); *c = __builtin_cosf(x); }
LANESCOPE_MATH bool isnan(float x) { return x != x; }
LANESCOPE_MATH bool isnan(double x) { return x != x; }
LANESCOPE_MATH bool isinf(float x) { return __builtin_fabs(x) == __builtin_inf(); }
LANESCOPE_MATH bool isinf(double x) { return __builtin_fabs(x) == __builtin_inf(); }
LANESCOPE_MATH bool isfinite(float x) { return __builtin_fabs(x) < __builtin_inf(); }
LANESCOPE_MATH bool isfinite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
LANESCOPE_MATH bool signbit(float x) { return __builtin_bit_cast(unsigned, x) >> 31; }
LANESCOPE_MATH bool signbit(double x) { return __builtin_bit_cast(unsigned long long, x) >> 63; }
LANESCOPE_MATH void sincos(double x, double* s, double* c) { *s = __builtin_sin(x); *c = __builtin_cos(x); }
LANESCOPE_MATH long lroundf(float x) { return (long)__builtin_roundf(x); }
LANESCOPE_MATH long lround(double x) { return (long)__builtin_round(x); }
LANESCOPE_MATH long lrintf(float x) { return (long)__builtin_rintf(x); }
LANESCOPE_MATH long lrint(double x) { return (long)__builtin_rint(x); }
LANESCOPE_MATH float ldexpf(float x, int e) { return (float)(x * __builtin_exp2((double)e)); }
LANESCOPE_MATH double ldexp(double x, int e) { return x * __builtin_exp2((double)e); }
#define LANESCOPE_ROUNDED(SUFFIX)                                                             \
  LANESCOPE_FN float __fadd_##SUFFIX(float x, float y) { return x + y; }                       \
  LANESCOPE_FN float __fsub_##SUFFIX(float x, float y) { return x - y; }                       \
  LANESCOPE_FN float __fmul_##SUFFIX(float x, float y) { return x * y; }                       \
  LANESCOPE_FN float __fdiv_##SUFFIX(float x, float y) { return x / y; }                       \
  LANESCOPE_FN float __fmaf_##SUFFIX(float x, float y, float z) { return __builtin_fmaf(x, y, z); } \
  LANESCOPE_FN float __fsqrt_##SUFFIX(float x) { return __builtin_sqrtf(x); }                  \
  LANESCOPE_FN float __frcp_##SUFFIX(float x) { return 1.0f / x; }                             \
  LANESCOPE_FN double __dadd_##SUFFIX(double x, double y) { return x + y; }                    \
  LANESCOPE_FN double __dmul_##SUFFIX(double x, double y) { return x * y; }
LANESCOPE_ROUNDED(rn)

LANESCOPE_MATH int abs(int x) { return x < 0 ? -x : x; }
LANESCOPE_MATH long labs(long x) { return x < 0 ? -x : x; }
LANESCOPE_MATH long long llabs(long long x) { return x < 0 ? -x : x; }
LANESCOPE_MATH float abs(float x) { return __builtin_fabsf(x); }
LANESCOPE_MATH double abs(double x) { return __builtin_fabs(x); }
#define LANESCOPE_MINMAX(T)                                                   \
  LANESCOPE_FN constexpr T min(T a, T b) { return b < a ? b : a; }             \
  LANESCOPE_FN constexpr T max(T a, T b) { return a < b ? b : a; }
LANESCOPE_MINMAX(int)
LANESCOPE_MINMAX(unsigned)
LANESCOPE_MINMAX(long)
LANESCOPE_MINMAX(unsigned long)
LANESCOPE_MINMAX(long long)
LANESCOPE_MINMAX(unsigned long long)
LANESCOPE_FN unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
LANESCOPE_FN unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
LANESCOPE_FN unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
LANESCOPE_FN unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
LANESCOPE_FN float min(float a, float b) { return __builtin_fminf(a, b); }
LANESCOPE_FN float max(float a, float b) { return __builtin_fmaxf(a, b); }
LANESCOPE_FN double min(double a, double b) { return __builtin_fmin(a, b); }
LANESCOPE_FN double max(double a, double b) { return __builtin_fmax(a, b); }

LANESCOPE_FN int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
LANESCOPE_FN int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
LANESCOPE_FN int __popc(unsigned x) { return __builtin_popcount(x); }
LANESCOPE_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
LANESCOPE_FN int __ffs(int x) { return __builtin_ffs(x); }
LANESCOPE_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
LANESCOPE_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
LANESCOPE_FN unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
LANESCOPE_FN int __mul24(int a, int b) { return (int)((unsigned)((a << 8) >> 8) * (unsigned)((b << 8) >> 8)); }
LANESCOPE_FN unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
LANESCOPE_FN int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
LANESCOPE_FN unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
LANESCOPE_FN int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
LANESCOPE_FN unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
LANESCOPE_FN float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
LANESCOPE_FN float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
LANESCOPE_FN long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
LANESCOPE_FN double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
LANESCOPE_FN int __float2int_rn(float x) { return (int)__builtin_rintf(x); }
LANESCOPE_FN int __float2int_rz(float x) { return (int)x; }
LANESCOPE_FN int __float2int_rd(float x) { return (int)__builtin_floorf(x); }
LANESCOPE_FN int __float2int_ru(float x) { return (int)__builtin_ceilf(x); }
LANESCOPE_FN float __int2float_rn(int x) { return (float)x; }
LANESCOPE_FN float __uint2float_rn(unsigned x) { return (float)x; }
LANESCOPE_FN float __double2float_rn(double x) { return (float)x; }
LANESCOPE_FN unsigned __float2uint_rn(float x) { return (unsigned)__builtin_rintf(x); }
LANESCOPE_FN unsigned __float2uint_rz(float x) { return (unsigned)x; }
LANESCOPE_FN unsigned __float2uint_rd(float x) { return (unsigned)__builtin_floorf(x); }
LANESCOPE_FN unsigned __float2uint_ru(float x) { return (unsigned)__builtin_ceilf(x); }
LANESCOPE_FN long long __float2ll_rn(float x) { return (long long)__builtin_rintf(x); }
LANESCOPE_FN long long __float2ll_rz(float x) { return (long long)x; }
LANESCOPE_FN long long __float2ll_rd(float x) { return (long long)__builtin_floorf(x); }
LANESCOPE_FN long long __float2ll_ru(float x) { return (long long)__builtin_ceilf(x); }
LANESCOPE_FN unsigned long long __float2ull_rn(float x) { return (unsigned long long)__builtin_rintf(x); }
LANESCOPE_FN unsigned long long __float2ull_rz(float x) { return (unsigned long long)x; }
LANESCOPE_FN unsigned long long __float2ull_rd(float x) { return (unsigned long long)__builtin_floorf(x); }
LANESCOPE_FN unsigned long long __float2ull_ru(float x) { return (unsigned long long)__builtin_ceilf(x); }
LANESCOPE_FN int __double2int_rn(double x) { return (int)__builtin_rint(x); }
LANESCOPE_FN int __double2int_rz(double x) { return (int)x; }
LANESCOPE_FN int __double2int_rd(double x) { return (int)__builtin_floor(x); }
LANESCOPE_FN int __double2int_ru(double x) { return (int)__builtin_ceil(x); }
LANESCOPE_FN unsigned __double2uint_rn(double x) { return (unsigned)__builtin_rint(x); }
LANESCOPE_FN unsigned __double2uint_rz(double x) { return (unsigned)x; }
LANESCOPE_FN unsigned __double2uint_rd(double x) { return (unsigned)__builtin_floor(x); }
LANESCOPE_FN unsigned __double2uint_ru(double x) { return (unsigned)__builtin_ceil(x); }
LANESCOPE_FN long long __double2ll_rn(double x) { return (long long)__builtin_rint(x); }
LANESCOPE_FN long long __double2ll_rz(double x) { return (long long)x; }
LANESCOPE_FN long long __double2ll_rd(double x) { return (long long)__builtin_floor(x); }
LANESCOPE_FN long long __double2ll_ru(double x) { return (long long)__builtin_ceil(x); }
LANESCOPE_FN unsigned long long __double2ull_rn(double x) { return (unsigned long long)__builtin_rint(x); }
LANESCOPE_FN unsigned long long __double2ull_rz(double x) { return (unsigned long long)x; }
LANESCOPE_FN unsigned long long __double2ull_rd(double x) { return (unsigned long long)__builtin_floor(x); }
LANESCOPE_FN unsigned long long __double2ull_ru(double x) { return (unsigned long long)__builtin_ceil(x); }
LANESCOPE_FN double __uint2double_rn(unsigned x) { return (double)x; }
LANESCOPE_FN double __int2double_rn(int x) { return (double)x; }
LANESCOPE_FN float __ll2float_rn(long long x) { return (float)x; }
LANESCOPE_FN double __ll2double_rn(long long x) { return (double)x; }
LANESCOPE_FN float __ull2float_rn(unsigned long long x) { return (float)x; }
LANESCOPE_FN double __ull2double_rn(unsigned long long x) { return (double)x; }
LANESCOPE_MAY_FUSE
