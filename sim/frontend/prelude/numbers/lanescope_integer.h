// Integer intrinsics: byte and bit selection, averages, products of two halves, dot products.
#pragma once

LANESCOPE_FN unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
LANESCOPE_FN unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
LANESCOPE_FN long long llmin(long long a, long long b) { return a < b ? a : b; }
LANESCOPE_FN long long llmax(long long a, long long b) { return a < b ? b : a; }
LANESCOPE_FN unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
LANESCOPE_FN unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

// Mixed signs compare as unsigned, as C's usual conversions have it.
#define LANESCOPE_MIXED_MINMAX(SIGNED, UNSIGNED)                                                    \
  LANESCOPE_FN UNSIGNED min(SIGNED a, UNSIGNED b) { return (UNSIGNED)a < b ? (UNSIGNED)a : b; }      \
  LANESCOPE_FN UNSIGNED min(UNSIGNED a, SIGNED b) { return a < (UNSIGNED)b ? a : (UNSIGNED)b; }      \
  LANESCOPE_FN UNSIGNED max(SIGNED a, UNSIGNED b) { return (UNSIGNED)a < b ? b : (UNSIGNED)a; }      \
  LANESCOPE_FN UNSIGNED max(UNSIGNED a, SIGNED b) { return a < (UNSIGNED)b ? (UNSIGNED)b : a; }
LANESCOPE_MIXED_MINMAX(long, unsigned long)
LANESCOPE_MIXED_MINMAX(long long, unsigned long long)
LANESCOPE_FN double min(float a, double b) { return __builtin_fmin(a, b); }
LANESCOPE_FN double min(double a, float b) { return __builtin_fmin(a, b); }
LANESCOPE_FN double max(float a, double b) { return __builtin_fmax(a, b); }
LANESCOPE_FN double max(double a, float b) { return __builtin_fmax(a, b); }

// |a - b| + c
LANESCOPE_DEV unsigned __sad(int a, int b, unsigned c) {
  return (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b) + c;
}
LANESCOPE_DEV unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }

// Averages: what both have, and half of where they differ; no carry is lost.
LANESCOPE_DEV int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
LANESCOPE_DEV int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
LANESCOPE_DEV unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
LANESCOPE_DEV unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

LANESCOPE_DEV unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  const unsigned long long al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
  const unsigned long long middle = ah * bl + ((al * bl) >> 32);
  return ah * bh + (middle >> 32) + ((al * bh + (middle & 0xffffffffu)) >> 32);
}
LANESCOPE_DEV long long __mul64hi(long long a, long long b) {
  const unsigned long long low = __umul64hi((unsigned long long)a, (unsigned long long)b);
  return (long long)(low - (a < 0 ? (unsigned long long)b : 0ull) - (b < 0 ? (unsigned long long)a : 0ull));
}

LANESCOPE_DEV unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  return (unsigned)(((((unsigned long long)hi << 32) | lo) << (shift & 31)) >> 32);
}
LANESCOPE_DEV unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) {
  return (unsigned)(((((unsigned long long)hi << 32) | lo) << (shift < 32 ? shift : 32)) >> 32);
}
LANESCOPE_DEV unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  return (unsigned)((((unsigned long long)hi << 32) | lo) >> (shift & 31));
}
LANESCOPE_DEV unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) {
  return (unsigned)((((unsigned long long)hi << 32) | lo) >> (shift < 32 ? shift : 32));
}

// Each selector takes a byte of b:a; with its top bit it takes that byte's sign eight times.
LANESCOPE_DEV unsigned lanescope_pick_byte(unsigned long long bytes, unsigned selector) {
  const unsigned byte = (unsigned)(bytes >> ((selector & 7) * 8)) & 0xff;
  return selector & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte;
}
LANESCOPE_DEV unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  const unsigned long long bytes = ((unsigned long long)b << 32) | a;
  return lanescope_pick_byte(bytes, s) | lanescope_pick_byte(bytes, s >> 4) << 8 |
         lanescope_pick_byte(bytes, s >> 8) << 16 | lanescope_pick_byte(bytes, s >> 12) << 24;
}

// PTX ISA, "fns": the offset-th set bit from `base` on, upwards or, where offset < 0, downwards.
LANESCOPE_DEV unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
  int left = (offset > 0 ? offset : -offset) - 1;
  const int step = offset > 0 ? 1 : -1;
  for (int at = (int)base; at >= 0 && at < 32; at += step)
    if (mask >> at & 1)
      if (left-- == 0) return (unsigned)at;
  return 0xffffffffu;
}

// ---- dot products of bytes, and of two halves of `a` with two bytes of `b` ----

#define LANESCOPE_DOT(RESULT, BYTE, HALF)                                                              \
  LANESCOPE_DEV RESULT lanescope_dot4(RESULT a, RESULT b, RESULT c) {                                   \
    return (RESULT)((unsigned)c + (unsigned)((int)(BYTE)a * (BYTE)b) + (unsigned)((int)(BYTE)(a >> 8) * (BYTE)(b >> 8)) + \
                    (unsigned)((int)(BYTE)(a >> 16) * (BYTE)(b >> 16)) + (unsigned)((int)(BYTE)(a >> 24) * (BYTE)(b >> 24))); \
  }                                                                                                     \
  LANESCOPE_DEV RESULT __dp4a(RESULT a, RESULT b, RESULT c) { return lanescope_dot4(a, b, c); }          \
  LANESCOPE_DEV RESULT __dp2a_lo(RESULT a, RESULT b, RESULT c) {                                        \
    return (RESULT)((unsigned)c + (unsigned)((int)(HALF)a * (BYTE)b) + (unsigned)((int)(HALF)(a >> 16) * (BYTE)(b >> 8))); \
  }                                                                                                     \
  LANESCOPE_DEV RESULT __dp2a_hi(RESULT a, RESULT b, RESULT c) { return __dp2a_lo(a, (RESULT)(b >> 16), c); }
LANESCOPE_DOT(int, signed char, short)
LANESCOPE_DOT(unsigned, unsigned char, unsigned short)
#define LANESCOPE_DOT_VECTOR(RESULT, HALVES, BYTES)                                                      \
  LANESCOPE_DEV RESULT __dp4a(BYTES a, BYTES b, RESULT c) {                                              \
    return __dp4a(__builtin_bit_cast(RESULT, a), __builtin_bit_cast(RESULT, b), c);                      \
  }                                                                                                      \
  LANESCOPE_DEV RESULT __dp2a_lo(HALVES a, BYTES b, RESULT c) {                                          \
    return __dp2a_lo(__builtin_bit_cast(RESULT, a), __builtin_bit_cast(RESULT, b), c);                   \
  }                                                                                                      \
  LANESCOPE_DEV RESULT __dp2a_hi(HALVES a, BYTES b, RESULT c) {                                          \
    return __dp2a_hi(__builtin_bit_cast(RESULT, a), __builtin_bit_cast(RESULT, b), c);                   \
  }
LANESCOPE_DOT_VECTOR(int, short2, char4)
LANESCOPE_DOT_VECTOR(unsigned, ushort2, uchar4)

// ---- 32-bit minimum and maximum of three, of a sum, with 0, and with which it was ----

#define LANESCOPE_MINMAX3(SUFFIX, ELEM)                                                                   \
  LANESCOPE_FN ELEM __vimax3_##SUFFIX(ELEM a, ELEM b, ELEM c) { return max(max(a, b), c); }                \
  LANESCOPE_FN ELEM __vimin3_##SUFFIX(ELEM a, ELEM b, ELEM c) { return min(min(a, b), c); }                \
  LANESCOPE_FN ELEM __viaddmax_##SUFFIX(ELEM a, ELEM b, ELEM c) { return max((ELEM)((unsigned)a + (unsigned)b), c); } \
  LANESCOPE_FN ELEM __viaddmin_##SUFFIX(ELEM a, ELEM b, ELEM c) { return min((ELEM)((unsigned)a + (unsigned)b), c); } \
  LANESCOPE_FN ELEM __vibmax_##SUFFIX(ELEM a, ELEM b, bool* pred) { return *pred = a >= b, max(a, b); }     \
  LANESCOPE_FN ELEM __vibmin_##SUFFIX(ELEM a, ELEM b, bool* pred) { return *pred = a <= b, min(a, b); }
LANESCOPE_MINMAX3(s32, int)
LANESCOPE_MINMAX3(u32, unsigned)
LANESCOPE_FN int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
LANESCOPE_FN int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
LANESCOPE_FN int __vimax3_s32_relu(int a, int b, int c) { return max(__vimax3_s32(a, b, c), 0); }
LANESCOPE_FN int __vimin3_s32_relu(int a, int b, int c) { return max(__vimin3_s32(a, b, c), 0); }
LANESCOPE_FN int __viaddmax_s32_relu(int a, int b, int c) { return max(__viaddmax_s32(a, b, c), 0); }
LANESCOPE_FN int __viaddmin_s32_relu(int a, int b, int c) { return max(__viaddmin_s32(a, b, c), 0); }
