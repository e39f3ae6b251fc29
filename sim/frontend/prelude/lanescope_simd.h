// Video instructions: an unsigned holds two halfwords or four bytes, and each is computed by itself.
#pragma once

// Unsigned element `i` of a word; signed ones keep their sign.
template <int _Bits> LANESCOPE_DEV int lanescope_unsigned_part(unsigned word, int i) {
  return (int)(word >> (i * _Bits) & ((1u << _Bits) - 1));
}
template <int _Bits> LANESCOPE_DEV int lanescope_signed_part(unsigned word, int i) {
  return (int)(word << (32 - _Bits - i * _Bits)) >> (32 - _Bits);
}
template <int _Bits> LANESCOPE_DEV unsigned lanescope_put(int value, int i) {
  return ((unsigned)value & ((1u << _Bits) - 1)) << (i * _Bits);
}

// f of every pair of elements.
template <int _Bits, class _Function> LANESCOPE_DEV unsigned lanescope_each_signed(unsigned a, unsigned b, _Function f) {
  unsigned out = lanescope_put<_Bits>(f(lanescope_signed_part<_Bits>(a, 0), lanescope_signed_part<_Bits>(b, 0)), 0) |
                 lanescope_put<_Bits>(f(lanescope_signed_part<_Bits>(a, 1), lanescope_signed_part<_Bits>(b, 1)), 1);
  if constexpr (_Bits == 8)
    out |= lanescope_put<_Bits>(f(lanescope_signed_part<_Bits>(a, 2), lanescope_signed_part<_Bits>(b, 2)), 2) |
           lanescope_put<_Bits>(f(lanescope_signed_part<_Bits>(a, 3), lanescope_signed_part<_Bits>(b, 3)), 3);
  return out;
}
template <int _Bits, class _Function> LANESCOPE_DEV unsigned lanescope_each_unsigned(unsigned a, unsigned b, _Function f) {
  unsigned out = lanescope_put<_Bits>(f(lanescope_unsigned_part<_Bits>(a, 0), lanescope_unsigned_part<_Bits>(b, 0)), 0) |
                 lanescope_put<_Bits>(f(lanescope_unsigned_part<_Bits>(a, 1), lanescope_unsigned_part<_Bits>(b, 1)), 1);
  if constexpr (_Bits == 8)
    out |= lanescope_put<_Bits>(f(lanescope_unsigned_part<_Bits>(a, 2), lanescope_unsigned_part<_Bits>(b, 2)), 2) |
           lanescope_put<_Bits>(f(lanescope_unsigned_part<_Bits>(a, 3), lanescope_unsigned_part<_Bits>(b, 3)), 3);
  return out;
}
template <int _Bits> LANESCOPE_DEV unsigned lanescope_sum_parts(unsigned word) {
  int sum = lanescope_unsigned_part<_Bits>(word, 0) + lanescope_unsigned_part<_Bits>(word, 1);
  if constexpr (_Bits == 8) sum += lanescope_unsigned_part<_Bits>(word, 2) + lanescope_unsigned_part<_Bits>(word, 3);
  return (unsigned)sum;
}
template <int _Bits> LANESCOPE_DEV int lanescope_saturate_signed(int v) {
  constexpr int high = (1 << (_Bits - 1)) - 1;
  return v > high ? high : v < -high - 1 ? -high - 1 : v;
}
template <int _Bits> LANESCOPE_DEV int lanescope_saturate_unsigned(int v) {
  constexpr int high = (1 << _Bits) - 1;
  return v > high ? high : v < 0 ? 0 : v;
}

// NAME2 on halfwords and NAME4 on bytes; EXPR is of the elements x and y, and of their width BITS.
#define LANESCOPE_SIMD(NAME, SIGN, EXPR)                                                     \
  template <int BITS> LANESCOPE_DEV unsigned lanescope_##NAME(unsigned a, unsigned b) {        \
    return lanescope_each_##SIGN<BITS>(a, b, [](int x, int y) { return EXPR; });               \
  }                                                                                           \
  LANESCOPE_DEV unsigned __##NAME##2(unsigned a, unsigned b) { return lanescope_##NAME<16>(a, b); } \
  LANESCOPE_DEV unsigned __##NAME##4(unsigned a, unsigned b) { return lanescope_##NAME<8>(a, b); }
LANESCOPE_SIMD(vadd, unsigned, x + y)
LANESCOPE_SIMD(vaddss, signed, lanescope_saturate_signed<BITS>(x + y))
LANESCOPE_SIMD(vaddus, unsigned, lanescope_saturate_unsigned<BITS>(x + y))
LANESCOPE_SIMD(vsub, unsigned, x - y)
LANESCOPE_SIMD(vsubss, signed, lanescope_saturate_signed<BITS>(x - y))
LANESCOPE_SIMD(vsubus, unsigned, lanescope_saturate_unsigned<BITS>(x - y))
// A half is rounded away from zero.
LANESCOPE_SIMD(vavgs, signed, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)
LANESCOPE_SIMD(vavgu, unsigned, (x + y + 1) >> 1)
LANESCOPE_SIMD(vhaddu, unsigned, (x + y) >> 1)
LANESCOPE_SIMD(vabsdiffs, signed, x < y ? y - x : x - y)
LANESCOPE_SIMD(vabsdiffu, unsigned, x < y ? y - x : x - y)
LANESCOPE_SIMD(vmins, signed, x < y ? x : y)
LANESCOPE_SIMD(vminu, unsigned, x < y ? x : y)
LANESCOPE_SIMD(vmaxs, signed, x < y ? y : x)
LANESCOPE_SIMD(vmaxu, unsigned, x < y ? y : x)
// vcmp gives all ones where it holds, vset 1.
#define LANESCOPE_SIMD_COMPARE(CONDITION, SIGN, OP)     \
  LANESCOPE_SIMD(vcmp##CONDITION, SIGN, x OP y ? -1 : 0) \
  LANESCOPE_SIMD(vset##CONDITION, SIGN, x OP y ? 1 : 0)
LANESCOPE_SIMD_COMPARE(eq, unsigned, ==)
LANESCOPE_SIMD_COMPARE(ne, unsigned, !=)
LANESCOPE_SIMD_COMPARE(ges, signed, >=)
LANESCOPE_SIMD_COMPARE(geu, unsigned, >=)
LANESCOPE_SIMD_COMPARE(gts, signed, >)
LANESCOPE_SIMD_COMPARE(gtu, unsigned, >)
LANESCOPE_SIMD_COMPARE(les, signed, <=)
LANESCOPE_SIMD_COMPARE(leu, unsigned, <=)
LANESCOPE_SIMD_COMPARE(lts, signed, <)
LANESCOPE_SIMD_COMPARE(ltu, unsigned, <)

#define LANESCOPE_SIMD_ONE(NAME, EXPR)                                                    \
  LANESCOPE_SIMD(lanescope_##NAME, signed, EXPR)                                           \
  LANESCOPE_DEV unsigned __##NAME##2(unsigned a) { return __lanescope_##NAME##2(a, 0); }    \
  LANESCOPE_DEV unsigned __##NAME##4(unsigned a) { return __lanescope_##NAME##4(a, 0); }
LANESCOPE_SIMD_ONE(vabs, (x < 0 ? -x : x) + y)
LANESCOPE_SIMD_ONE(vabsss, lanescope_saturate_signed<BITS>((x < 0 ? -x : x) + y))
LANESCOPE_SIMD_ONE(vneg, y - x)
LANESCOPE_SIMD_ONE(vnegss, lanescope_saturate_signed<BITS>(y - x))

LANESCOPE_DEV unsigned __vsads2(unsigned a, unsigned b) { return lanescope_sum_parts<16>(__vabsdiffs2(a, b)); }
LANESCOPE_DEV unsigned __vsads4(unsigned a, unsigned b) { return lanescope_sum_parts<8>(__vabsdiffs4(a, b)); }
LANESCOPE_DEV unsigned __vsadu2(unsigned a, unsigned b) { return lanescope_sum_parts<16>(__vabsdiffu2(a, b)); }
LANESCOPE_DEV unsigned __vsadu4(unsigned a, unsigned b) { return lanescope_sum_parts<8>(__vabsdiffu4(a, b)); }

// ---- halfword minimum and maximum of three, of a sum, with 0, and with which it was ----

#define LANESCOPE_SIMD_THREE(SIGN, SUFFIX)                                                                                  \
  LANESCOPE_DEV unsigned __vimax3_##SUFFIX(unsigned a, unsigned b, unsigned c) { return __vmax##SIGN##2(__vmax##SIGN##2(a, b), c); } \
  LANESCOPE_DEV unsigned __vimin3_##SUFFIX(unsigned a, unsigned b, unsigned c) { return __vmin##SIGN##2(__vmin##SIGN##2(a, b), c); } \
  LANESCOPE_DEV unsigned __viaddmax_##SUFFIX(unsigned a, unsigned b, unsigned c) { return __vmax##SIGN##2(__vadd2(a, b), c); }       \
  LANESCOPE_DEV unsigned __viaddmin_##SUFFIX(unsigned a, unsigned b, unsigned c) { return __vmin##SIGN##2(__vadd2(a, b), c); }       \
  LANESCOPE_DEV unsigned __vibmax_##SUFFIX(unsigned a, unsigned b, bool* high, bool* low) {                                  \
    const unsigned first = __vsetge##SIGN##2(a, b);                                                                          \
    return *low = first & 1, *high = first >> 16, __vmax##SIGN##2(a, b);                                                     \
  }                                                                                                                          \
  LANESCOPE_DEV unsigned __vibmin_##SUFFIX(unsigned a, unsigned b, bool* high, bool* low) {                                  \
    const unsigned first = __vsetle##SIGN##2(a, b);                                                                          \
    return *low = first & 1, *high = first >> 16, __vmin##SIGN##2(a, b);                                                     \
  }
LANESCOPE_SIMD_THREE(s, s16x2)
LANESCOPE_SIMD_THREE(u, u16x2)
LANESCOPE_DEV unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vimax3_s16x2(a, b, 0); }
LANESCOPE_DEV unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
LANESCOPE_DEV unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vimax3_s16x2(a, b, c), 0); }
LANESCOPE_DEV unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vimin3_s16x2(a, b, c), 0); }
LANESCOPE_DEV unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__viaddmax_s16x2(a, b, c), 0); }
LANESCOPE_DEV unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__viaddmin_s16x2(a, b, c), 0); }
