// The functions that half and bfloat16 have alike, under the same or under corresponding names. Included
// once for each of the two types, hence without a guard, with these macros:
//   LANESCOPE_H, LANESCOPE_H2           the type of one number, and of two
//   LANESCOPE_NAME(BEFORE, AFTER)       BEFORE##half##AFTER or BEFORE##bfloat16##AFTER
// Of the type it needs the static members of(float), of(double) and of_bits(unsigned short), the members
// lanescope_bits() and lanescope_float(), lanescope_add, _sub, _mul, _div and _fma. Operators
// are not used here: looking for theirs takes the compiler long, with all the conversions that there are.
// Pairs are taken by value, as CUDA does: so one in memory is read by one access of 4 bytes, not two of 2.

// ---- from and to bits and numbers ----

LANESCOPE_FN short LANESCOPE_NAME(__, _as_short)(const LANESCOPE_H& v) { return (short)v.lanescope_bits(); }
LANESCOPE_FN unsigned short LANESCOPE_NAME(__, _as_ushort)(const LANESCOPE_H& v) { return v.lanescope_bits(); }
LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__short_as_, )(short v) { return LANESCOPE_H::of_bits((unsigned short)v); }
LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__ushort_as_, )(unsigned short v) { return LANESCOPE_H::of_bits(v); }

// The nearest is corrected where it lies on the wrong side of x: by one in its bits, which are ordered.
LANESCOPE_FN LANESCOPE_H lanescope_up_to(const LANESCOPE_H& nearest, double x) {
  const unsigned short bits = nearest.lanescope_bits();
  if (!((double)nearest.lanescope_float() < x)) return nearest;
  return LANESCOPE_H::of_bits((unsigned short)(bits == 0x8000 ? 1 : bits & 0x8000 ? bits - 1 : bits + 1));
}
LANESCOPE_FN LANESCOPE_H lanescope_down_to(const LANESCOPE_H& nearest, double x) {
  const unsigned short bits = nearest.lanescope_bits();
  if (!((double)nearest.lanescope_float() > x)) return nearest;
  return LANESCOPE_H::of_bits((unsigned short)(bits == 0 ? 0x8001 : bits & 0x8000 ? bits + 1 : bits - 1));
}
LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__double2, )(double x) { return LANESCOPE_H::of(x); }
LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__float2, )(float x) { return LANESCOPE_H::of(x); }
// Every number that may be given is exact as a double, or as good as that (lanescope_odd_double).
#define LANESCOPE_FROM(WORD, NUMBER, AS_DOUBLE)                                                        \
  LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__##WORD##2, _rn)(NUMBER x) { return LANESCOPE_H::of(AS_DOUBLE); } \
  LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__##WORD##2, _ru)(NUMBER x) {                                 \
    return lanescope_up_to(LANESCOPE_H::of(AS_DOUBLE), AS_DOUBLE);                                      \
  }                                                                                                     \
  LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__##WORD##2, _rd)(NUMBER x) {                                 \
    return lanescope_down_to(LANESCOPE_H::of(AS_DOUBLE), AS_DOUBLE);                                    \
  }                                                                                                     \
  LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__##WORD##2, _rz)(NUMBER x) {                                 \
    return x > 0 ? LANESCOPE_NAME(__##WORD##2, _rd)(x) : LANESCOPE_NAME(__##WORD##2, _ru)(x);           \
  }
LANESCOPE_FROM(float, float, x)
LANESCOPE_FROM(short, short, (float)x)
LANESCOPE_FROM(ushort, unsigned short, (float)x)
LANESCOPE_FROM(int, int, (double)x)
LANESCOPE_FROM(uint, unsigned, (double)x)
LANESCOPE_FROM(ll, long long, lanescope_odd_double(x))
LANESCOPE_FROM(ull, unsigned long long, lanescope_odd_double(x))
#undef LANESCOPE_FROM

LANESCOPE_FN float LANESCOPE_NAME(__, 2float)(const LANESCOPE_H& v) { return v.lanescope_float(); }
#define LANESCOPE_TO(WORD, NUMBER)                                                                                           \
  LANESCOPE_FN NUMBER LANESCOPE_NAME(__, 2##WORD##_rn)(const LANESCOPE_H& v) { return lanescope_integer<NUMBER>(__builtin_rintf(v.lanescope_float())); }   \
  LANESCOPE_FN NUMBER LANESCOPE_NAME(__, 2##WORD##_rz)(const LANESCOPE_H& v) { return lanescope_integer<NUMBER>(__builtin_truncf(v.lanescope_float())); }  \
  LANESCOPE_FN NUMBER LANESCOPE_NAME(__, 2##WORD##_ru)(const LANESCOPE_H& v) { return lanescope_integer<NUMBER>(__builtin_ceilf(v.lanescope_float())); }   \
  LANESCOPE_FN NUMBER LANESCOPE_NAME(__, 2##WORD##_rd)(const LANESCOPE_H& v) { return lanescope_integer<NUMBER>(__builtin_floorf(v.lanescope_float())); }
LANESCOPE_TO(short, short)
LANESCOPE_TO(ushort, unsigned short)
LANESCOPE_TO(int, int)
LANESCOPE_TO(uint, unsigned)
LANESCOPE_TO(ll, long long)
LANESCOPE_TO(ull, unsigned long long)
LANESCOPE_FN signed char LANESCOPE_NAME(__, 2char_rz)(const LANESCOPE_H& v) { return lanescope_integer<signed char>(__builtin_truncf(v.lanescope_float())); }
LANESCOPE_FN unsigned char LANESCOPE_NAME(__, 2uchar_rz)(const LANESCOPE_H& v) { return lanescope_integer<unsigned char>(__builtin_truncf(v.lanescope_float())); }
#undef LANESCOPE_TO

// ---- one number: arithmetic ----

LANESCOPE_FN LANESCOPE_H lanescope_nan(LANESCOPE_H) { return LANESCOPE_H::of_bits(0x7fff); }
LANESCOPE_FN bool __hisnan(const LANESCOPE_H& a) { return a.lanescope_float() != a.lanescope_float(); }
LANESCOPE_FN int __hisinf(const LANESCOPE_H& a) {
  return a.lanescope_float() == __builtin_inff() ? 1 : a.lanescope_float() == -__builtin_inff() ? -1 : 0;
}
LANESCOPE_FN LANESCOPE_H lanescope_saturated(const LANESCOPE_H& a) {
  const float f = a.lanescope_float();
  return f > 0.0f ? (f < 1.0f ? a : LANESCOPE_H::of(1.0f)) : LANESCOPE_H::of(0.0f);
}
LANESCOPE_FN LANESCOPE_H lanescope_relu(const LANESCOPE_H& a) {
  return __hisnan(a) ? lanescope_nan(a) : a.lanescope_float() > 0.0f ? a : LANESCOPE_H::of(0.0f);
}
#define LANESCOPE_OPERATOR(NAME, OP)                                                                              \
  LANESCOPE_FN LANESCOPE_H __h##NAME(const LANESCOPE_H& a, const LANESCOPE_H& b) { return lanescope_##NAME(a, b); }              \
  LANESCOPE_FN LANESCOPE_H __h##NAME##_rn(const LANESCOPE_H& a, const LANESCOPE_H& b) { return lanescope_##NAME##_rn(a, b); }    \
  LANESCOPE_FN LANESCOPE_H __h##NAME##_sat(const LANESCOPE_H& a, const LANESCOPE_H& b) { return lanescope_saturated(lanescope_##NAME(a, b)); } \
  LANESCOPE_FN LANESCOPE_H operator OP(const LANESCOPE_H& a, const LANESCOPE_H& b) { return lanescope_##NAME(a, b); } \
  LANESCOPE_FN LANESCOPE_H& operator OP##=(LANESCOPE_H& a, const LANESCOPE_H& b) { return a = lanescope_##NAME(a, b); }
LANESCOPE_OPERATOR(add, +)
LANESCOPE_OPERATOR(sub, -)
LANESCOPE_OPERATOR(mul, *)
LANESCOPE_OPERATOR(div, /)
LANESCOPE_FN LANESCOPE_H __hfma(const LANESCOPE_H& a, const LANESCOPE_H& b, const LANESCOPE_H& c) { return lanescope_fma(a, b, c); }
LANESCOPE_FN LANESCOPE_H __hfma_sat(const LANESCOPE_H& a, const LANESCOPE_H& b, const LANESCOPE_H& c) { return lanescope_saturated(lanescope_fma(a, b, c)); }
LANESCOPE_FN LANESCOPE_H __hfma_relu(const LANESCOPE_H& a, const LANESCOPE_H& b, const LANESCOPE_H& c) { return lanescope_relu(lanescope_fma(a, b, c)); }
LANESCOPE_FN LANESCOPE_H __hneg(const LANESCOPE_H& a) { return LANESCOPE_H::of_bits((unsigned short)(a.lanescope_bits() ^ 0x8000)); }
LANESCOPE_FN LANESCOPE_H __habs(const LANESCOPE_H& a) { return LANESCOPE_H::of_bits((unsigned short)(a.lanescope_bits() & 0x7fff)); }
// A NaN yields to a number, -0 to 0 as the greater.
LANESCOPE_FN LANESCOPE_H __hmax(const LANESCOPE_H& a, const LANESCOPE_H& b) {
  const float x = a.lanescope_float(), y = b.lanescope_float();
  if (x != x) return y != y ? lanescope_nan(a) : b;
  return x == y ? LANESCOPE_H::of_bits((unsigned short)(a.lanescope_bits() & b.lanescope_bits())) : x < y ? b : a;
}
LANESCOPE_FN LANESCOPE_H __hmin(const LANESCOPE_H& a, const LANESCOPE_H& b) {
  const float x = a.lanescope_float(), y = b.lanescope_float();
  if (x != x) return y != y ? lanescope_nan(a) : b;
  return x == y ? LANESCOPE_H::of_bits((unsigned short)(a.lanescope_bits() | b.lanescope_bits())) : y < x ? b : a;
}
LANESCOPE_FN LANESCOPE_H __hmax_nan(const LANESCOPE_H& a, const LANESCOPE_H& b) { return __hisnan(a) || __hisnan(b) ? lanescope_nan(a) : __hmax(a, b); }
LANESCOPE_FN LANESCOPE_H __hmin_nan(const LANESCOPE_H& a, const LANESCOPE_H& b) { return __hisnan(a) || __hisnan(b) ? lanescope_nan(a) : __hmin(a, b); }
LANESCOPE_FN LANESCOPE_H operator+(const LANESCOPE_H& a) { return a; }
LANESCOPE_FN LANESCOPE_H operator-(const LANESCOPE_H& a) { return __hneg(a); }
LANESCOPE_FN LANESCOPE_H& operator++(LANESCOPE_H& a) { return a = lanescope_add(a, LANESCOPE_H::of(1.0f)); }
LANESCOPE_FN LANESCOPE_H& operator--(LANESCOPE_H& a) { return a = lanescope_sub(a, LANESCOPE_H::of(1.0f)); }
LANESCOPE_FN LANESCOPE_H operator++(LANESCOPE_H& a, int) { const LANESCOPE_H before = a; operator++(a); return before; }
LANESCOPE_FN LANESCOPE_H operator--(LANESCOPE_H& a, int) { const LANESCOPE_H before = a; operator--(a); return before; }

// ---- two numbers ----

LANESCOPE_FN LANESCOPE_H2 LANESCOPE_NAME(make_, 2)(const LANESCOPE_H& x, const LANESCOPE_H& y) { return LANESCOPE_H2(x, y); }
LANESCOPE_FN LANESCOPE_H2 LANESCOPE_NAME(__halves2, 2)(const LANESCOPE_H& x, const LANESCOPE_H& y) { return LANESCOPE_H2(x, y); }
LANESCOPE_FN LANESCOPE_H2 LANESCOPE_NAME(__floats2, 2_rn)(float x, float y) { return LANESCOPE_H2(LANESCOPE_H::of(x), LANESCOPE_H::of(y)); }
LANESCOPE_FN LANESCOPE_H2 LANESCOPE_NAME(__float2, 2_rn)(float x) { return LANESCOPE_H2(LANESCOPE_H::of(x), LANESCOPE_H::of(x)); }
LANESCOPE_FN LANESCOPE_H2 LANESCOPE_NAME(__float22, 2_rn)(float2 v) { return LANESCOPE_H2(LANESCOPE_H::of(v.x), LANESCOPE_H::of(v.y)); }
LANESCOPE_FN float2 LANESCOPE_NAME(__, 22float2)(LANESCOPE_H2 v) { return make_float2(v.x.lanescope_float(), v.y.lanescope_float()); }
LANESCOPE_FN float __low2float(LANESCOPE_H2 v) { return v.x.lanescope_float(); }
LANESCOPE_FN float __high2float(LANESCOPE_H2 v) { return v.y.lanescope_float(); }
LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__low2, )(LANESCOPE_H2 v) { return v.x; }
LANESCOPE_FN LANESCOPE_H LANESCOPE_NAME(__high2, )(LANESCOPE_H2 v) { return v.y; }
LANESCOPE_FN LANESCOPE_H2 LANESCOPE_NAME(__low2, 2)(LANESCOPE_H2 v) { return LANESCOPE_H2(v.x, v.x); }
LANESCOPE_FN LANESCOPE_H2 LANESCOPE_NAME(__high2, 2)(LANESCOPE_H2 v) { return LANESCOPE_H2(v.y, v.y); }
LANESCOPE_FN LANESCOPE_H2 LANESCOPE_NAME(__lows2, 2)(LANESCOPE_H2 a, LANESCOPE_H2 b) { return LANESCOPE_H2(a.x, b.x); }
LANESCOPE_FN LANESCOPE_H2 LANESCOPE_NAME(__highs2, 2)(LANESCOPE_H2 a, LANESCOPE_H2 b) { return LANESCOPE_H2(a.y, b.y); }
LANESCOPE_FN LANESCOPE_H2 __lowhigh2highlow(LANESCOPE_H2 v) { return LANESCOPE_H2(v.y, v.x); }

#define LANESCOPE_PAIR1(NAME2, NAME1) \
  LANESCOPE_FN LANESCOPE_H2 NAME2(LANESCOPE_H2 a) { return LANESCOPE_H2(NAME1(a.x), NAME1(a.y)); }
#define LANESCOPE_PAIR2(NAME2, NAME1) \
  LANESCOPE_FN LANESCOPE_H2 NAME2(LANESCOPE_H2 a, LANESCOPE_H2 b) { return LANESCOPE_H2(NAME1(a.x, b.x), NAME1(a.y, b.y)); }
#define LANESCOPE_PAIR3(NAME2, NAME1)                                               \
  LANESCOPE_FN LANESCOPE_H2 NAME2(LANESCOPE_H2 a, LANESCOPE_H2 b, LANESCOPE_H2 c) {   \
    return LANESCOPE_H2(NAME1(a.x, b.x, c.x), NAME1(a.y, b.y, c.y));                  \
  }
LANESCOPE_PAIR1(__hneg2, __hneg)
LANESCOPE_PAIR1(__habs2, __habs)
LANESCOPE_PAIR2(__hadd2, __hadd)
LANESCOPE_PAIR2(__hsub2, __hsub)
LANESCOPE_PAIR2(__hmul2, __hmul)
LANESCOPE_PAIR2(__hadd2_rn, __hadd_rn)
LANESCOPE_PAIR2(__hsub2_rn, __hsub_rn)
LANESCOPE_PAIR2(__hmul2_rn, __hmul_rn)
LANESCOPE_PAIR2(__hadd2_sat, __hadd_sat)
LANESCOPE_PAIR2(__hsub2_sat, __hsub_sat)
LANESCOPE_PAIR2(__hmul2_sat, __hmul_sat)
LANESCOPE_PAIR2(__h2div, __hdiv)
LANESCOPE_PAIR2(__hmax2, __hmax)
LANESCOPE_PAIR2(__hmin2, __hmin)
LANESCOPE_PAIR2(__hmax2_nan, __hmax_nan)
LANESCOPE_PAIR2(__hmin2_nan, __hmin_nan)
LANESCOPE_PAIR3(__hfma2, __hfma)
LANESCOPE_PAIR3(__hfma2_sat, __hfma_sat)
LANESCOPE_PAIR3(__hfma2_relu, __hfma_relu)
// a × b + c of complex numbers
LANESCOPE_FN LANESCOPE_H2 __hcmadd(LANESCOPE_H2 a, LANESCOPE_H2 b, LANESCOPE_H2 c) {
  return LANESCOPE_H2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
LANESCOPE_FN LANESCOPE_H2 operator+(LANESCOPE_H2 a, LANESCOPE_H2 b) { return __hadd2(a, b); }
LANESCOPE_FN LANESCOPE_H2 operator-(LANESCOPE_H2 a, LANESCOPE_H2 b) { return __hsub2(a, b); }
LANESCOPE_FN LANESCOPE_H2 operator*(LANESCOPE_H2 a, LANESCOPE_H2 b) { return __hmul2(a, b); }
LANESCOPE_FN LANESCOPE_H2 operator/(LANESCOPE_H2 a, LANESCOPE_H2 b) { return __h2div(a, b); }
LANESCOPE_FN LANESCOPE_H2& operator+=(LANESCOPE_H2& a, LANESCOPE_H2 b) { return a = __hadd2(a, b); }
LANESCOPE_FN LANESCOPE_H2& operator-=(LANESCOPE_H2& a, LANESCOPE_H2 b) { return a = __hsub2(a, b); }
LANESCOPE_FN LANESCOPE_H2& operator*=(LANESCOPE_H2& a, LANESCOPE_H2 b) { return a = __hmul2(a, b); }
LANESCOPE_FN LANESCOPE_H2& operator/=(LANESCOPE_H2& a, LANESCOPE_H2 b) { return a = __h2div(a, b); }
LANESCOPE_FN LANESCOPE_H2 operator+(LANESCOPE_H2 a) { return a; }
LANESCOPE_FN LANESCOPE_H2 operator-(LANESCOPE_H2 a) { return __hneg2(a); }
LANESCOPE_FN LANESCOPE_H2& operator++(LANESCOPE_H2& a) { operator++(a.x); operator++(a.y); return a; }
LANESCOPE_FN LANESCOPE_H2& operator--(LANESCOPE_H2& a) { operator--(a.x); operator--(a.y); return a; }
LANESCOPE_FN LANESCOPE_H2 operator++(LANESCOPE_H2& a, int) { const LANESCOPE_H2 before = a; operator++(a); return before; }
LANESCOPE_FN LANESCOPE_H2 operator--(LANESCOPE_H2& a, int) { const LANESCOPE_H2 before = a; operator--(a); return before; }

// ---- comparisons: false for a NaN, and with u true ----

LANESCOPE_FN bool lanescope_unordered(const LANESCOPE_H& a, const LANESCOPE_H& b) { return __hisnan(a) || __hisnan(b); }
#define LANESCOPE_COMPARISON(NAME, CONDITION)                                                                      \
  LANESCOPE_FN bool __h##NAME(const LANESCOPE_H& a, const LANESCOPE_H& b) { return CONDITION; }                                   \
  LANESCOPE_FN bool __hb##NAME##2(LANESCOPE_H2 a, LANESCOPE_H2 b) {                                                 \
    const bool low = __h##NAME(a.x, b.x), high = __h##NAME(a.y, b.y);                                               \
    return low && high;                                                                                             \
  }                                                                                                                 \
  LANESCOPE_FN LANESCOPE_H2 __h##NAME##2(LANESCOPE_H2 a, LANESCOPE_H2 b) {                                          \
    return LANESCOPE_H2(LANESCOPE_H::of(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), LANESCOPE_H::of(__h##NAME(a.y, b.y) ? 1.0f : 0.0f)); \
  }                                                                                                                 \
  LANESCOPE_FN unsigned __h##NAME##2_mask(LANESCOPE_H2 a, LANESCOPE_H2 b) {                                         \
    return (__h##NAME(a.x, b.x) ? 0xffffu : 0u) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0u);                         \
  }
#define LANESCOPE_COMPARISONS(NAME, OP)                                                                             \
  LANESCOPE_COMPARISON(NAME, a.lanescope_float() OP b.lanescope_float() && !lanescope_unordered(a, b))              \
  LANESCOPE_COMPARISON(NAME##u, a.lanescope_float() OP b.lanescope_float() || lanescope_unordered(a, b))
LANESCOPE_COMPARISONS(eq, ==)
LANESCOPE_COMPARISONS(ne, !=)
LANESCOPE_COMPARISONS(lt, <)
LANESCOPE_COMPARISONS(le, <=)
LANESCOPE_COMPARISONS(gt, >)
LANESCOPE_COMPARISONS(ge, >=)
#define LANESCOPE_COMPARISON_OPERATOR(OP, NAME)                                                                          \
  LANESCOPE_FN bool operator OP(const LANESCOPE_H& a, const LANESCOPE_H& b) { return a.lanescope_float() OP b.lanescope_float(); } \
  LANESCOPE_FN bool operator OP(LANESCOPE_H2 a, LANESCOPE_H2 b) { return NAME(a, b); }
LANESCOPE_COMPARISON_OPERATOR(==, __hbeq2)
LANESCOPE_COMPARISON_OPERATOR(!=, __hbneu2)
LANESCOPE_COMPARISON_OPERATOR(<, __hblt2)
LANESCOPE_COMPARISON_OPERATOR(<=, __hble2)
LANESCOPE_COMPARISON_OPERATOR(>, __hbgt2)
LANESCOPE_COMPARISON_OPERATOR(>=, __hbge2)
LANESCOPE_FN LANESCOPE_H2 __hisnan2(LANESCOPE_H2 a) {
  return LANESCOPE_H2(LANESCOPE_H::of(__hisnan(a.x) ? 1.0f : 0.0f), LANESCOPE_H::of(__hisnan(a.y) ? 1.0f : 0.0f));
}

// ---- functions: in float, rounded once more ----

#define LANESCOPE_FUNCTION(NAME, EXPR)                                                             \
  LANESCOPE_DEV LANESCOPE_H h##NAME(const LANESCOPE_H& a) {                                                \
    const float x = a.lanescope_float();                                                            \
    return LANESCOPE_H::of(EXPR);                                                                   \
  }                                                                                                 \
  LANESCOPE_DEV LANESCOPE_H2 h2##NAME(LANESCOPE_H2 a) { return LANESCOPE_H2(h##NAME(a.x), h##NAME(a.y)); }
LANESCOPE_FUNCTION(sin, __builtin_sinf(x))
LANESCOPE_FUNCTION(cos, __builtin_cosf(x))
LANESCOPE_FUNCTION(tanh, __builtin_tanhf(x))
LANESCOPE_FUNCTION(tanh_approx, __builtin_tanhf(x))
LANESCOPE_FUNCTION(exp, __builtin_expf(x))
LANESCOPE_FUNCTION(exp2, __builtin_exp2f(x))
LANESCOPE_FUNCTION(exp10, (float)__builtin_pow(10.0, (double)x))
LANESCOPE_FUNCTION(log, __builtin_logf(x))
LANESCOPE_FUNCTION(log2, __builtin_log2f(x))
LANESCOPE_FUNCTION(log10, __builtin_log10f(x))
LANESCOPE_FUNCTION(sqrt, __builtin_sqrtf(x))
LANESCOPE_FUNCTION(rsqrt, (float)(1.0 / __builtin_sqrt((double)x)))
LANESCOPE_FUNCTION(rcp, 1.0f / x)
LANESCOPE_FUNCTION(ceil, __builtin_ceilf(x))
LANESCOPE_FUNCTION(floor, __builtin_floorf(x))
LANESCOPE_FUNCTION(trunc, __builtin_truncf(x))
LANESCOPE_FUNCTION(rint, __builtin_rintf(x))

#undef LANESCOPE_OPERATOR
#undef LANESCOPE_PAIR1
#undef LANESCOPE_PAIR2
#undef LANESCOPE_PAIR3
#undef LANESCOPE_COMPARISON
#undef LANESCOPE_COMPARISONS
#undef LANESCOPE_COMPARISON_OPERATOR
#undef LANESCOPE_FUNCTION
