// Mathematical functions of CUDA beyond those that the compiler has built-ins for. Device code alone:
// the host's library has some of the names.
#pragma once

LANESCOPE_ROUNDS_EACH

#define LANESCOPE_FLOAT_TOO(NAME, FLOAT_NAME)                             \
  LANESCOPE_DEV float FLOAT_NAME(float x) { return (float)NAME((double)x); } \
  LANESCOPE_DEV float NAME(float x) { return FLOAT_NAME(x); }

// ---- trigonometry of multiples of pi: the argument is reduced exactly ----

LANESCOPE_DEV double lanescope_half_turns(double x) {  // x - 2n in [-1, 1]
  const double r = __builtin_fmod(x, 2.0);
  return r > 1.0 ? r - 2.0 : r < -1.0 ? r + 2.0 : r;
}
LANESCOPE_DEV double sinpi(double x) {
  double r = lanescope_half_turns(x);
  if (r == 0.0 || r == 1.0 || r == -1.0) return __builtin_copysign(0.0, x);
  if (r > 0.5) r = 1.0 - r;
  if (r < -0.5) r = -1.0 - r;
  return __builtin_fabs(r) <= 0.25 ? __builtin_sin(r * 3.14159265358979323846)
                                   : __builtin_copysign(__builtin_cos((0.5 - __builtin_fabs(r)) * 3.14159265358979323846), r);
}
LANESCOPE_DEV double cospi(double x) {
  const double r = __builtin_fabs(lanescope_half_turns(x));
  if (r == 0.5) return 0.0;
  if (r <= 0.25) return __builtin_cos(r * 3.14159265358979323846);
  if (r < 0.75) return __builtin_sin((0.5 - r) * 3.14159265358979323846);
  return -__builtin_cos((1.0 - r) * 3.14159265358979323846);
}
LANESCOPE_FLOAT_TOO(sinpi, sinpif)
LANESCOPE_FLOAT_TOO(cospi, cospif)
LANESCOPE_DEV void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
LANESCOPE_DEV void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
LANESCOPE_DEV void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
LANESCOPE_DEV void sincos(float x, float* s, float* c) { *s = __builtin_sinf(x), *c = __builtin_cosf(x); }
LANESCOPE_DEV void __sincosf(float x, float* s, float* c) { *s = __builtin_sinf(x), *c = __builtin_cosf(x); }
LANESCOPE_DEV float __tanhf(float x) { return __builtin_tanhf(x); }
LANESCOPE_DEV float __exp2f(float x) { return __builtin_exp2f(x); }

// ---- roots, powers and lengths ----

LANESCOPE_DEV double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }
LANESCOPE_FLOAT_TOO(rcbrt, rcbrtf)
LANESCOPE_DEV double lanescope_exp10(double x) { return __builtin_pow(10.0, x); }
LANESCOPE_DEV double exp10(double x) { return lanescope_exp10(x); }
LANESCOPE_DEV float exp10(float x) { return (float)lanescope_exp10((double)x); }
LANESCOPE_DEV float fdividef(float x, float y) { return x / y; }
// An infinite component makes the length infinite, whatever the others are.
LANESCOPE_DEV double norm3d(double a, double b, double c) { return __builtin_hypot(__builtin_hypot(a, b), c); }
LANESCOPE_DEV double norm4d(double a, double b, double c, double d) {
  return __builtin_hypot(__builtin_hypot(a, b), __builtin_hypot(c, d));
}
LANESCOPE_DEV double rhypot(double a, double b) { return 1.0 / __builtin_hypot(a, b); }
LANESCOPE_DEV double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
LANESCOPE_DEV double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
LANESCOPE_DEV float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
LANESCOPE_DEV float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
LANESCOPE_DEV float rhypotf(float a, float b) { return (float)rhypot((double)a, (double)b); }
LANESCOPE_DEV float rhypot(float a, float b) { return rhypotf(a, b); }
LANESCOPE_DEV float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
LANESCOPE_DEV float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
LANESCOPE_DEV double norm(int dim, const double* p) {
  double length = 0.0;
  for (int i = 0; i < dim; ++i) length = __builtin_hypot(length, p[i]);
  return length;
}
LANESCOPE_DEV double rnorm(int dim, const double* p) { return 1.0 / norm(dim, p); }
LANESCOPE_DEV float normf(int dim, const float* p) {
  double length = 0.0;
  for (int i = 0; i < dim; ++i) length = __builtin_hypot(length, (double)p[i]);
  return (float)length;
}
LANESCOPE_DEV float rnormf(int dim, const float* p) { return 1.0f / normf(dim, p); }

// ---- exponents and digits ----

// x = result × 2^*e with 0.5 <= |result| < 1
LANESCOPE_DEV double frexp(double x, int* e) {
  if (x == 0.0 || !(__builtin_fabs(x) < __builtin_inf())) return *e = 0, x;
  const bool tiny = __builtin_fabs(x) < __DBL_MIN__;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, tiny ? x * 18014398509481984.0 : x);  // 2^54
  *e = (int)(bits >> 52 & 2047) - 1022 - (tiny ? 54 : 0);
  return __builtin_bit_cast(double, (bits & ~(2047ull << 52)) | 1022ull << 52);
}
LANESCOPE_DEV float frexpf(float x, int* e) { return (float)frexp((double)x, e); }
LANESCOPE_DEV float frexp(float x, int* e) { return frexpf(x, e); }
LANESCOPE_DEV int ilogb(double x) {
  if (x == 0.0 || x != x) return -2147483647 - 1;
  if (!(__builtin_fabs(x) < __builtin_inf())) return 2147483647;
  int e;
  frexp(x, &e);
  return e - 1;
}
LANESCOPE_DEV int ilogbf(float x) { return ilogb((double)x); }
LANESCOPE_DEV int ilogb(float x) { return ilogb((double)x); }
LANESCOPE_DEV double logb(double x) {
  if (x == 0.0) return -__builtin_inf();
  return __builtin_fabs(x) < __builtin_inf() ? (double)ilogb(x) : x * x;
}
LANESCOPE_FLOAT_TOO(logb, logbf)
LANESCOPE_DEV double lanescope_power_of_2(int n) {
  return __builtin_bit_cast(double, (unsigned long long)(n + 1023) << 52);
}
// In steps that are all exact but the last: a number that becomes subnormal is rounded once.
LANESCOPE_DEV double scalbn(double x, int n) {
  if (n > 1023) x *= lanescope_power_of_2(1023), n -= 1023;
  if (n > 1023) x *= lanescope_power_of_2(1023), n -= 1023;
  if (n > 1023) n = 1023;
  if (n < -1022) x *= lanescope_power_of_2(-1022 + 53), n += 1022 - 53;
  if (n < -1022) x *= lanescope_power_of_2(-1022 + 53), n += 1022 - 53;
  if (n < -1022) n = -1022;
  return x * lanescope_power_of_2(n);
}
LANESCOPE_DEV float scalbnf(float x, int n) {
  // A double holds every product that is not 0 or infinite as a float.
  return (float)((double)x * lanescope_power_of_2(n > 400 ? 400 : n < -400 ? -400 : n));
}
LANESCOPE_DEV float scalbn(float x, int n) { return scalbnf(x, n); }
LANESCOPE_DEV int lanescope_int_of_long(long n) { return n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n; }
LANESCOPE_DEV double scalbln(double x, long n) { return scalbn(x, lanescope_int_of_long(n)); }
LANESCOPE_DEV float scalblnf(float x, long n) { return scalbnf(x, lanescope_int_of_long(n)); }
LANESCOPE_DEV double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_fabs(x) < __builtin_inf() || x != x ? x - *whole : 0.0, x);
}
LANESCOPE_DEV float modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_fabsf(x) < __builtin_inff() || x != x ? x - *whole : 0.0f, x);
}
LANESCOPE_DEV float modf(float x, float* whole) { return modff(x, whole); }
// The remainder, and the last three bits of the quotient with its sign.
LANESCOPE_DEV double remquo(double x, double y, int* quotient) {
  const double rest = __builtin_remainder(x, y), low = __builtin_fmod(__builtin_fabs(x), 8.0 * __builtin_fabs(y));
  const double magnitude = __builtin_fabs(y);
  // fmod by 8y keeps the quotient's last bits; rounding it to nearest, ties to even, as the remainder does.
  int q = (int)(low / magnitude);
  const double over = low - q * magnitude, half = magnitude - over;
  if (over > half || (over == half && (q & 1))) ++q;
  *quotient = (__builtin_signbit(x) != __builtin_signbit(y)) ? -(q & 7) : q & 7;
  return rest;
}
LANESCOPE_DEV float remquof(float x, float y, int* quotient) { return (float)remquo((double)x, (double)y, quotient); }
LANESCOPE_DEV float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
LANESCOPE_DEV double nextafter(double x, double y) {
  if (x != x || y != y) return x + y;
  return x == y ? y : x < y ? lanescope_above(x) : lanescope_below(x);
}
LANESCOPE_DEV float nextafterf(float x, float y) {
  if (x != x || y != y) return x + y;
  return x == y ? y : x < y ? lanescope_above(x) : lanescope_below(x);
}
LANESCOPE_DEV float nextafter(float x, float y) { return nextafterf(x, y); }
LANESCOPE_DEV double nan(const char*) { return __builtin_nan(""); }
LANESCOPE_DEV float nanf(const char*) { return __builtin_nanf(""); }
LANESCOPE_DEV long long llroundf(float x) { return (long long)__builtin_roundf(x); }
LANESCOPE_DEV long long llround(double x) { return (long long)__builtin_round(x); }
LANESCOPE_DEV long long llrintf(float x) { return (long long)__builtin_rintf(x); }
LANESCOPE_DEV long long llrint(double x) { return (long long)__builtin_rint(x); }

// ---- error functions and the normal distribution; CUDA has them for the host too ----

// Wichura, "Algorithm AS 241", Applied Statistics 37 (1988), gives seven digits of the normal quantile;
// Newton steps on erfc, whose relative error is small even far out, give the rest.
LANESCOPE_FN double lanescope_quantile_guess(double p) {
  const double q = p - 0.5;
  if (__builtin_fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * (((5.9109374720e+01 * r + 1.5929113202e+02) * r + 5.0434271938e+01) * r + 3.3871327179e+00) /
           (((6.7187563600e+01 * r + 7.8757757664e+01) * r + 1.7895169469e+01) * r + 1.0);
  }
  const double r = __builtin_sqrt(-__builtin_log(q < 0 ? p : 1.0 - p));
  double x;
  if (r <= 5.0) {
    const double s = r - 1.6;
    x = (((1.7023821103e-01 * s + 1.3067284816e+00) * s + 2.7568153900e+00) * s + 1.4234372777e+00) /
        ((1.2021132975e-01 * s + 7.3700164250e-01) * s + 1.0);
  } else {
    const double s = r - 5.0;
    x = (((1.7337203997e-02 * s + 4.2868294337e-01) * s + 3.0812263860e+00) * s + 6.6579051150e+00) /
        ((1.2258202635e-02 * s + 2.4197894225e-01) * s + 1.0);
  }
  return q < 0 ? -x : x;
}
LANESCOPE_FN double normcdf(double x) { return 0.5 * __builtin_erfc(-0.70710678118654752440 * x); }
// The quantile of p <= 0.5: what is left, relative to the density, is the step (with Halley's correction).
LANESCOPE_FN double lanescope_low_quantile(double p) {
  double x = lanescope_quantile_guess(p);
  for (int i = 0; i < 2; ++i) {
    const double step = (normcdf(x) - p) * 2.50662827463100050242 * __builtin_exp(0.5 * x * x);
    x -= step / (1.0 + 0.5 * x * step);
  }
  return x;
}
LANESCOPE_FN double normcdfinv(double p) {
  if (!(p >= 0.0 && p <= 1.0)) return __builtin_nan("");
  if (p == 0.0) return -__builtin_inf();
  if (p == 1.0) return __builtin_inf();
  if (p == 0.5) return -0.0;
  return p <= 0.5 ? lanescope_low_quantile(p) : -lanescope_low_quantile(1.0 - p);
}
LANESCOPE_FN double erfcinv(double y) {
  if (!(y >= 0.0 && y <= 2.0)) return __builtin_nan("");
  if (y == 0.0) return __builtin_inf();
  if (y == 2.0) return -__builtin_inf();
  return 0.70710678118654752440 * (y <= 1.0 ? -lanescope_low_quantile(0.5 * y) : lanescope_low_quantile(1.0 - 0.5 * y));
}
// Near 0, where 1 - y has lost digits, Newton steps on erf itself.
LANESCOPE_FN double erfinv(double y) {
  if (!(y >= -1.0 && y <= 1.0)) return __builtin_nan("");
  if (y == 0.0) return y;
  if (__builtin_fabs(y) > 0.5) return y > 0.0 ? erfcinv(1.0 - y) : -erfcinv(1.0 + y);
  double x = 0.88622692545275801365 * y;  // sqrt(pi) / 2
  for (int i = 0; i < 4; ++i) {
    const double step = (__builtin_erf(x) - y) * 0.88622692545275801365 * __builtin_exp(x * x);
    x -= step / (1.0 + x * step);
  }
  return x;
}
// exp(x²) erfc(x): far out by its continued fraction, where the factors leave the range of a double.
LANESCOPE_FN double erfcx(double x) {
  if (x < 10.0) return __builtin_exp(x * x) * __builtin_erfc(x);
  double tail = x;
  for (int i = 30; i > 0; --i) tail = x + 0.5 * i / tail;
  return 0.56418958354775628695 / tail;  // 1 / sqrt(pi)
}
#define LANESCOPE_FLOAT_EVERYWHERE(NAME, FLOAT_NAME)                        \
  LANESCOPE_FN float FLOAT_NAME(float x) { return (float)NAME((double)x); } \
  LANESCOPE_FN float NAME(float x) { return FLOAT_NAME(x); }
LANESCOPE_FLOAT_EVERYWHERE(normcdf, normcdff)
LANESCOPE_FLOAT_EVERYWHERE(normcdfinv, normcdfinvf)
LANESCOPE_FLOAT_EVERYWHERE(erfcinv, erfcinvf)
LANESCOPE_FLOAT_EVERYWHERE(erfinv, erfinvf)
LANESCOPE_FLOAT_EVERYWHERE(erfcx, erfcxf)
LANESCOPE_MAY_FUSE
