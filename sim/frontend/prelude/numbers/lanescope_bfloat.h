// bfloat16: the upper half of a float, kept as its bits.
#pragma once
#include <lanescope_half.h>

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)

struct __nv_bfloat16_raw { unsigned short x; };
struct __attribute__((aligned(4))) __nv_bfloat162_raw { unsigned short x, y; };

LANESCOPE_OP unsigned lanescope_float_to_bfloat(float v);
LANESCOPE_OP unsigned lanescope_bfloat_fma(unsigned a, unsigned b, unsigned c);

struct __nv_bfloat16 {
  unsigned short lanescope_value;
  __nv_bfloat16() = default;
  LANESCOPE_MEMBER static __nv_bfloat16 of_bits(unsigned short bits) {
    __nv_bfloat16 b;
    b.lanescope_value = bits;
    return b;
  }
#ifdef LANESCOPE_HOST_PASS
  LANESCOPE_MEMBER static __nv_bfloat16 of(float v) { return of_bits(lanescope_bfloat_of_float(v)); }
#else
  LANESCOPE_MEMBER static __nv_bfloat16 of(float v) { return of_bits((unsigned short)lanescope_float_to_bfloat(v)); }
#endif
  LANESCOPE_MEMBER static __nv_bfloat16 of(double v) { return of(lanescope_odd_float(v)); }
  LANESCOPE_MEMBER float lanescope_float() const { return __builtin_bit_cast(float, (unsigned)lanescope_value << 16); }
  LANESCOPE_MEMBER unsigned short lanescope_bits() const { return lanescope_value; }

  LANESCOPE_MEMBER __nv_bfloat16(const __nv_bfloat16_raw& raw) : lanescope_value(raw.x) {}
  LANESCOPE_MEMBER operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{lanescope_value}; }
#define LANESCOPE_NUMBER(NUMBER, AS)                                                  \
  LANESCOPE_MEMBER __nv_bfloat16(NUMBER v) : lanescope_value(of(AS).lanescope_value) {}                  \
  LANESCOPE_MEMBER __nv_bfloat16& operator=(NUMBER v) { return lanescope_value = of(AS).lanescope_value, *this; }
  LANESCOPE_NUMBER(float, v)
  LANESCOPE_NUMBER(double, v)
  LANESCOPE_NUMBER(short, (float)v)
  LANESCOPE_NUMBER(unsigned short, (float)v)
  LANESCOPE_NUMBER(int, (double)v)
  LANESCOPE_NUMBER(unsigned, (double)v)
  LANESCOPE_NUMBER(long, lanescope_odd_double((long long)v))
  LANESCOPE_NUMBER(unsigned long, lanescope_odd_double((unsigned long long)v))
  LANESCOPE_NUMBER(long long, lanescope_odd_double(v))
  LANESCOPE_NUMBER(unsigned long long, lanescope_odd_double(v))
#undef LANESCOPE_NUMBER
  explicit LANESCOPE_MEMBER __nv_bfloat16(__half v) : lanescope_value(of(v.lanescope_float()).lanescope_value) {}
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
  LANESCOPE_MEMBER operator bool() const { return (lanescope_value & 0x7fff) != 0; }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  LANESCOPE_MEMBER __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
  LANESCOPE_MEMBER __nv_bfloat162(const __nv_bfloat162_raw& raw) : x(__nv_bfloat16::of_bits(raw.x)), y(__nv_bfloat16::of_bits(raw.y)) {}
  LANESCOPE_MEMBER operator __nv_bfloat162_raw() const { return __nv_bfloat162_raw{x.lanescope_value, y.lanescope_value}; }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
inline __attribute__((host, device)) __half::__half(__nv_bfloat16 v) : lanescope_value(of(v.lanescope_float()).lanescope_value) {}

#define LANESCOPE_BFLOAT_OP(NAME, OP)                                                                 \
  LANESCOPE_FN __nv_bfloat16 lanescope_##NAME(const __nv_bfloat16& a, const __nv_bfloat16& b) {        \
    return __nv_bfloat16::of(a.lanescope_float() OP b.lanescope_float());                              \
  }
LANESCOPE_BFLOAT_OP(add, +)
LANESCOPE_BFLOAT_OP(sub, -)
LANESCOPE_BFLOAT_OP(mul, *)
LANESCOPE_BFLOAT_OP(div, /)
LANESCOPE_BFLOAT_OP(add_rn, +)
LANESCOPE_BFLOAT_OP(sub_rn, -)
LANESCOPE_BFLOAT_OP(mul_rn, *)
LANESCOPE_BFLOAT_OP(div_rn, /)
LANESCOPE_FN __nv_bfloat16 lanescope_fma(const __nv_bfloat16& a, const __nv_bfloat16& b, const __nv_bfloat16& c) {
#ifdef LANESCOPE_HOST_PASS
  return __nv_bfloat16::of((double)a.lanescope_float() * (double)b.lanescope_float() + (double)c.lanescope_float());
#else
  return __nv_bfloat16::of_bits((unsigned short)lanescope_bfloat_fma(a.lanescope_value, b.lanescope_value, c.lanescope_value));
#endif
}

#define LANESCOPE_H __nv_bfloat16
#define LANESCOPE_H2 __nv_bfloat162
#define LANESCOPE_NAME(BEFORE, AFTER) BEFORE##bfloat16##AFTER
#include <lanescope_float16_functions.h>
#undef LANESCOPE_H
#undef LANESCOPE_H2
#undef LANESCOPE_NAME
LANESCOPE_FN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }

LANESCOPE_OP unsigned lanescope_atomic_add_bf16(void* p, unsigned v);
LANESCOPE_OP unsigned lanescope_atomic_add_bf16x2(void* p, unsigned v);
LANESCOPE_DEV __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 v) {
  return __nv_bfloat16::of_bits((unsigned short)lanescope_atomic_add_bf16(p, v.lanescope_value));
}
LANESCOPE_DEV __nv_bfloat162 atomicAdd(__nv_bfloat162* p, __nv_bfloat162 v) {
  return __builtin_bit_cast(__nv_bfloat162, lanescope_atomic_add_bf16x2(p, __builtin_bit_cast(unsigned, v)));
}
