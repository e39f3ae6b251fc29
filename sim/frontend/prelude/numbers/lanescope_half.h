// Half precision: __half over the compiler's own _Float16, whose operations the simulator has; on the host
// by its bits (lanescope_float16.h).
#pragma once
#include <lanescope_float16.h>

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)

struct __half_raw { unsigned short x; };
struct __attribute__((aligned(4))) __half2_raw { unsigned short x, y; };
struct __nv_bfloat16;

struct __half {
  _Float16 lanescope_value;
  __half() = default;
  LANESCOPE_MEMBER static __half of_bits(unsigned short bits) {
    __half h;
    h.lanescope_value = __builtin_bit_cast(_Float16, bits);
    return h;
  }
#ifdef LANESCOPE_HOST_PASS
  LANESCOPE_MEMBER static __half of(float v) { return of_bits(lanescope_half_of_float(v)); }
  LANESCOPE_MEMBER static __half of(double v) { return of_bits(lanescope_half_of_float(lanescope_odd_float(v))); }
  LANESCOPE_MEMBER float lanescope_float() const { return lanescope_float_of_half(lanescope_bits()); }
#else
  LANESCOPE_MEMBER static __half of(_Float16 v) {
    __half h;
    h.lanescope_value = v;
    return h;
  }
  LANESCOPE_MEMBER static __half of(float v) { return of((_Float16)v); }
  LANESCOPE_MEMBER static __half of(double v) { return of((_Float16)v); }
  LANESCOPE_MEMBER float lanescope_float() const { return (float)lanescope_value; }
#endif
  LANESCOPE_MEMBER unsigned short lanescope_bits() const { return __builtin_bit_cast(unsigned short, lanescope_value); }

  LANESCOPE_MEMBER __half(const __half_raw& raw) : lanescope_value(of_bits(raw.x).lanescope_value) {}
  LANESCOPE_MEMBER operator __half_raw() const { return __half_raw{lanescope_bits()}; }
#define LANESCOPE_NUMBER(NUMBER, AS)                                    \
  LANESCOPE_MEMBER __half(NUMBER v) : lanescope_value(of(AS).lanescope_value) {}                  \
  LANESCOPE_MEMBER __half& operator=(NUMBER v) { return lanescope_value = of(AS).lanescope_value, *this; }
  LANESCOPE_NUMBER(float, v)
  LANESCOPE_NUMBER(double, v)
  LANESCOPE_NUMBER(short, (float)v)
  LANESCOPE_NUMBER(unsigned short, (float)v)
  // Of what is not exact as a float, all is far beyond the largest half.
  LANESCOPE_NUMBER(int, (float)v)
  LANESCOPE_NUMBER(unsigned, (float)v)
  LANESCOPE_NUMBER(long, (float)v)
  LANESCOPE_NUMBER(unsigned long, (float)v)
  LANESCOPE_NUMBER(long long, (float)v)
  LANESCOPE_NUMBER(unsigned long long, (float)v)
#undef LANESCOPE_NUMBER
  explicit inline __attribute__((host, device)) __half(__nv_bfloat16 v);
  LANESCOPE_MEMBER operator float() const { return lanescope_float(); }
#define LANESCOPE_NUMBER(NUMBER) \
  LANESCOPE_MEMBER operator NUMBER() const { return lanescope_integer<NUMBER>(__builtin_truncf(lanescope_float())); }
  LANESCOPE_NUMBER(signed char)
  LANESCOPE_NUMBER(unsigned char)
  LANESCOPE_NUMBER(char)
  LANESCOPE_NUMBER(short)
  LANESCOPE_NUMBER(unsigned short)
  LANESCOPE_NUMBER(int)
  LANESCOPE_NUMBER(unsigned)
  LANESCOPE_NUMBER(long)
  LANESCOPE_NUMBER(unsigned long)
  LANESCOPE_NUMBER(long long)
  LANESCOPE_NUMBER(unsigned long long)
#undef LANESCOPE_NUMBER
  LANESCOPE_MEMBER operator bool() const { return (lanescope_bits() & 0x7fff) != 0; }
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  LANESCOPE_MEMBER __half2(const __half& a, const __half& b) : x(a), y(b) {}
  LANESCOPE_MEMBER __half2(const __half2_raw& raw) : x(__half::of_bits(raw.x)), y(__half::of_bits(raw.y)) {}
  LANESCOPE_MEMBER operator __half2_raw() const { return __half2_raw{x.lanescope_bits(), y.lanescope_bits()}; }
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

// A float holds sums, products and quotients of halves with so many bits to spare that rounding them once
// more gives what rounding once would.
#ifdef LANESCOPE_HOST_PASS
#define LANESCOPE_HALF_OP(NAME, OP) \
  LANESCOPE_FN __half lanescope_##NAME(const __half& a, const __half& b) { return __half::of(a.lanescope_float() OP b.lanescope_float()); }
LANESCOPE_FN __half lanescope_fma(const __half& a, const __half& b, const __half& c) {
  return __half::of((double)a.lanescope_float() * (double)b.lanescope_float() + (double)c.lanescope_float());
}
#else
#define LANESCOPE_HALF_OP(NAME, OP) \
  LANESCOPE_FN __half lanescope_##NAME(const __half& a, const __half& b) { return __half::of((_Float16)(a.lanescope_value OP b.lanescope_value)); }
LANESCOPE_FN __half lanescope_fma(const __half& a, const __half& b, const __half& c) {
  return __half::of(__builtin_fmaf16(a.lanescope_value, b.lanescope_value, c.lanescope_value));
}
#endif
LANESCOPE_HALF_OP(add, +)
LANESCOPE_HALF_OP(sub, -)
LANESCOPE_HALF_OP(mul, *)
LANESCOPE_HALF_OP(div, /)
LANESCOPE_ROUNDS_EACH
LANESCOPE_HALF_OP(add_rn, +)
LANESCOPE_HALF_OP(sub_rn, -)
LANESCOPE_HALF_OP(mul_rn, *)
LANESCOPE_HALF_OP(div_rn, /)
LANESCOPE_MAY_FUSE

#define LANESCOPE_H __half
#define LANESCOPE_H2 __half2
#define LANESCOPE_NAME(BEFORE, AFTER) BEFORE##half##AFTER
#include <lanescope_float16_functions.h>
#undef LANESCOPE_H
#undef LANESCOPE_H2
#undef LANESCOPE_NAME
LANESCOPE_FN __half2 __half2half2(__half a) { return __half2(a, a); }

LANESCOPE_OP unsigned lanescope_atomic_add_f16(void* p, unsigned v);
LANESCOPE_OP unsigned lanescope_atomic_add_f16x2(void* p, unsigned v);
LANESCOPE_DEV __half atomicAdd(__half* p, __half v) {
  return __half::of_bits((unsigned short)lanescope_atomic_add_f16(p, v.lanescope_bits()));
}
LANESCOPE_DEV __half2 atomicAdd(__half2* p, __half2 v) {
  return __builtin_bit_cast(__half2, lanescope_atomic_add_f16x2(p, __builtin_bit_cast(unsigned, v)));
}
