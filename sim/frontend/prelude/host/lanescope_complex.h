// Complex numbers as cuComplex.h names them: a float2 and a double2.
#pragma once

#include "lanescope_vectors.h"

#ifdef __CUDA__
#define LANESCOPE_COMPLEX(NAME, TYPE, REAL, F, SQRT) \
  typedef TYPE NAME; \
  LANESCOPE_FN NAME make_##NAME(REAL re, REAL im) { return TYPE{re, im}; } \
  LANESCOPE_FN REAL cuCreal##F(NAME v) { return v.x; } \
  LANESCOPE_FN REAL cuCimag##F(NAME v) { return v.y; } \
  LANESCOPE_FN NAME cuConj##F(NAME v) { return TYPE{v.x, -v.y}; } \
  LANESCOPE_FN NAME cuCadd##F(NAME a, NAME b) { return TYPE{a.x + b.x, a.y + b.y}; } \
  LANESCOPE_FN NAME cuCsub##F(NAME a, NAME b) { return TYPE{a.x - b.x, a.y - b.y}; } \
  LANESCOPE_FN NAME cuCmul##F(NAME a, NAME b) { return TYPE{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  LANESCOPE_FN NAME cuCdiv##F(NAME a, NAME b) { \
    const REAL scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y)); \
    const REAL ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale, inverse = 1 / (bx * bx + by * by); \
    return TYPE{(ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse}; \
  } \
  LANESCOPE_FN REAL cuCabs##F(NAME v) { \
    const REAL a = v.x < 0 ? -v.x : v.x, b = v.y < 0 ? -v.y : v.y, most = a > b ? a : b, least = a > b ? b : a; \
    if (most == 0 || least == 0) return most; \
    const REAL ratio = least / most; \
    return most * SQRT(1 + ratio * ratio); \
  } \
  LANESCOPE_FN NAME cuCfma##F(NAME a, NAME b, NAME c) { return cuCadd##F(cuCmul##F(a, b), c); }
LANESCOPE_COMPLEX(cuFloatComplex, float2, float, f, __builtin_sqrtf)
LANESCOPE_COMPLEX(cuDoubleComplex, double2, double, , __builtin_sqrt)
typedef cuFloatComplex cuComplex;
LANESCOPE_FN cuComplex make_cuComplex(float re, float im) { return float2{re, im}; }
LANESCOPE_FN cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex v) { return double2{v.x, v.y}; }
LANESCOPE_FN cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex v) { return float2{(float)v.x, (float)v.y}; }
#undef LANESCOPE_COMPLEX
#else
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
#endif
