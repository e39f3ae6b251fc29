// The essentials of half precision: __half and __half2 over the compiler's own _Float16.
#pragma once

struct __half {
  _Float16 lanescope_value;
  __half() = default;
  LANESCOPE_MEMBER __half(float v) : lanescope_value((_Float16)v) {}
  LANESCOPE_MEMBER __half(double v) : lanescope_value((_Float16)v) {}
  LANESCOPE_MEMBER __half(int v) : lanescope_value((_Float16)v) {}
  LANESCOPE_MEMBER __half(unsigned v) : lanescope_value((_Float16)v) {}
  LANESCOPE_MEMBER operator float() const { return (float)lanescope_value; }
  LANESCOPE_MEMBER static __half lanescope_of(_Float16 v) {
    __half h;
    h.lanescope_value = v;
    return h;
  }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
};
typedef __half2 half2;

#define LANESCOPE_HALF_OP(OP)                                                               \
  LANESCOPE_FN __half operator OP(__half a, __half b) {                                      \
    return __half::lanescope_of(a.lanescope_value OP b.lanescope_value);                     \
  }                                                                                         \
  LANESCOPE_FN __half& operator OP##=(__half& a, __half b) { return a = a OP b; }            \
  LANESCOPE_FN __half2 operator OP(__half2 a, __half2 b) { return __half2{a.x OP b.x, a.y OP b.y}; }
LANESCOPE_HALF_OP(+)
LANESCOPE_HALF_OP(-)
LANESCOPE_HALF_OP(*)
LANESCOPE_HALF_OP(/)
#define LANESCOPE_HALF_COMPARE(OP)                                                          \
  LANESCOPE_FN bool operator OP(__half a, __half b) { return a.lanescope_value OP b.lanescope_value; }
LANESCOPE_HALF_COMPARE(<)
LANESCOPE_HALF_COMPARE(>)
LANESCOPE_HALF_COMPARE(<=)
LANESCOPE_HALF_COMPARE(>=)
LANESCOPE_HALF_COMPARE(==)
LANESCOPE_HALF_COMPARE(!=)

LANESCOPE_FN __half __float2half(float v) { return __half(v); }
LANESCOPE_FN __half __float2half_rn(float v) { return __half(v); }
LANESCOPE_FN __half __double2half(double v) { return __half(v); }
LANESCOPE_FN float __half2float(__half v) { return (float)v.lanescope_value; }
LANESCOPE_FN __half __int2half_rn(int v) { return __half(v); }
LANESCOPE_FN int __half2int_rn(__half v) { return (int)__builtin_rintf((float)v.lanescope_value); }
LANESCOPE_FN unsigned short __half_as_ushort(__half v) { return __builtin_bit_cast(unsigned short, v.lanescope_value); }
LANESCOPE_FN __half __ushort_as_half(unsigned short v) { return __half::lanescope_of(__builtin_bit_cast(_Float16, v)); }
LANESCOPE_FN __half2 __floats2half2_rn(float a, float b) { return __half2{__half(a), __half(b)}; }
LANESCOPE_FN __half2 __float2half2_rn(float a) { return __half2{__half(a), __half(a)}; }
LANESCOPE_FN __half2 __float22half2_rn(float2 v) { return __half2{__half(v.x), __half(v.y)}; }
LANESCOPE_FN float2 __half22float2(__half2 v) { return float2{(float)v.x, (float)v.y}; }
LANESCOPE_FN __half2 __halves2half2(__half a, __half b) { return __half2{a, b}; }
LANESCOPE_FN __half2 __half2half2(__half a) { return __half2{a, a}; }
LANESCOPE_FN __half2 make_half2(__half a, __half b) { return __half2{a, b}; }
LANESCOPE_FN __half __low2half(__half2 v) { return v.x; }
LANESCOPE_FN __half __high2half(__half2 v) { return v.y; }
LANESCOPE_FN float __low2float(__half2 v) { return (float)v.x; }
LANESCOPE_FN float __high2float(__half2 v) { return (float)v.y; }
LANESCOPE_FN __half __hadd(__half a, __half b) { return a + b; }
LANESCOPE_FN __half __hsub(__half a, __half b) { return a - b; }
LANESCOPE_FN __half __hmul(__half a, __half b) { return a * b; }
LANESCOPE_FN __half __hdiv(__half a, __half b) { return a / b; }
LANESCOPE_FN __half __hneg(__half a) { return __half::lanescope_of(-a.lanescope_value); }
LANESCOPE_FN __half __habs(__half a) { return a.lanescope_value < (_Float16)0 ? __hneg(a) : a; }
LANESCOPE_FN __half __hmax(__half a, __half b) { return a > b ? a : b; }
LANESCOPE_FN __half __hmin(__half a, __half b) { return a < b ? a : b; }
// One rounding, as the GPU's: the product and the sum are exact in double.
LANESCOPE_FN __half __hfma(__half a, __half b, __half c) {
  return __half((double)(float)a * (double)(float)b + (double)(float)c);
}
LANESCOPE_FN __half2 __hadd2(__half2 a, __half2 b) { return a + b; }
LANESCOPE_FN __half2 __hsub2(__half2 a, __half2 b) { return a - b; }
LANESCOPE_FN __half2 __hmul2(__half2 a, __half2 b) { return a * b; }
LANESCOPE_FN __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return __half2{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
LANESCOPE_FN bool __hlt(__half a, __half b) { return a < b; }
LANESCOPE_FN bool __hgt(__half a, __half b) { return a > b; }
LANESCOPE_FN bool __heq(__half a, __half b) { return a == b; }
LANESCOPE_FN __half hsqrt(__half a) { return __half(__builtin_sqrtf((float)a)); }
LANESCOPE_FN __half hexp(__half a) { return __half(__builtin_expf((float)a)); }
