// Video instructions: an unsigned holds two halfwords or four bytes, and each is computed by itself. All at
// once, in the word: `high` has the top bit of every element, `bits` is an element's width. (Warren,
// "Hacker's Delight", 2-18.) Written without templates, because every kernel's compilation reads this.
#pragma once

LANESCOPE_DEV unsigned lanescope_vadd(unsigned a, unsigned b, unsigned high, int) {
  return ((a & ~high) + (b & ~high)) ^ ((a ^ b) & high);
}
LANESCOPE_DEV unsigned lanescope_vsub(unsigned a, unsigned b, unsigned high, int) {
  return ((a | high) - (b & ~high)) ^ ((a ^ ~b) & high);
}
// All ones where an element's top bit is set in `word`.
LANESCOPE_DEV unsigned lanescope_vfill(unsigned word, unsigned high, int bits) {
  return ((word & high) << 1) - ((word & high) >> (bits - 1));
}
LANESCOPE_DEV unsigned lanescope_vpick(unsigned mask, unsigned a, unsigned b) { return (a & mask) | (b & ~mask); }
LANESCOPE_DEV unsigned lanescope_vcmpgeu(unsigned a, unsigned b, unsigned high, int bits) {
  return lanescope_vfill((a & ~b) | (~(a ^ b) & ((a | high) - (b & ~high))), high, bits);
}
LANESCOPE_DEV unsigned lanescope_vcmpges(unsigned a, unsigned b, unsigned high, int bits) {
  return lanescope_vcmpgeu(a ^ high, b ^ high, high, bits);
}
LANESCOPE_DEV unsigned lanescope_vcmpne(unsigned a, unsigned b, unsigned high, int bits) {
  return lanescope_vfill((a ^ b) | (((a ^ b) & ~high) + ~high), high, bits);
}
LANESCOPE_DEV unsigned lanescope_vcmpeq(unsigned a, unsigned b, unsigned high, int bits) { return ~lanescope_vcmpne(a, b, high, bits); }
LANESCOPE_DEV unsigned lanescope_vcmpgtu(unsigned a, unsigned b, unsigned high, int bits) { return ~lanescope_vcmpgeu(b, a, high, bits); }
LANESCOPE_DEV unsigned lanescope_vcmpgts(unsigned a, unsigned b, unsigned high, int bits) { return ~lanescope_vcmpges(b, a, high, bits); }
LANESCOPE_DEV unsigned lanescope_vcmpleu(unsigned a, unsigned b, unsigned high, int bits) { return lanescope_vcmpgeu(b, a, high, bits); }
LANESCOPE_DEV unsigned lanescope_vcmples(unsigned a, unsigned b, unsigned high, int bits) { return lanescope_vcmpges(b, a, high, bits); }
LANESCOPE_DEV unsigned lanescope_vcmpltu(unsigned a, unsigned b, unsigned high, int bits) { return ~lanescope_vcmpgeu(a, b, high, bits); }
LANESCOPE_DEV unsigned lanescope_vcmplts(unsigned a, unsigned b, unsigned high, int bits) { return ~lanescope_vcmpges(a, b, high, bits); }

LANESCOPE_DEV unsigned lanescope_vmaxu(unsigned a, unsigned b, unsigned high, int bits) { return lanescope_vpick(lanescope_vcmpgeu(a, b, high, bits), a, b); }
LANESCOPE_DEV unsigned lanescope_vminu(unsigned a, unsigned b, unsigned high, int bits) { return lanescope_vpick(lanescope_vcmpgeu(a, b, high, bits), b, a); }
LANESCOPE_DEV unsigned lanescope_vmaxs(unsigned a, unsigned b, unsigned high, int bits) { return lanescope_vpick(lanescope_vcmpges(a, b, high, bits), a, b); }
LANESCOPE_DEV unsigned lanescope_vmins(unsigned a, unsigned b, unsigned high, int bits) { return lanescope_vpick(lanescope_vcmpges(a, b, high, bits), b, a); }
LANESCOPE_DEV unsigned lanescope_vabsdiffu(unsigned a, unsigned b, unsigned high, int bits) {
  return lanescope_vsub(lanescope_vmaxu(a, b, high, bits), lanescope_vminu(a, b, high, bits), high, bits);
}
LANESCOPE_DEV unsigned lanescope_vabsdiffs(unsigned a, unsigned b, unsigned high, int bits) {
  return lanescope_vabsdiffu(a ^ high, b ^ high, high, bits);
}

// Saturated: a sum that wrapped is below its terms; a signed one has a sign that neither has.
LANESCOPE_DEV unsigned lanescope_vaddus(unsigned a, unsigned b, unsigned high, int bits) {
  const unsigned sum = lanescope_vadd(a, b, high, bits);
  return sum | ~lanescope_vcmpgeu(sum, a, high, bits);
}
LANESCOPE_DEV unsigned lanescope_vsubus(unsigned a, unsigned b, unsigned high, int bits) {
  return lanescope_vsub(a, b, high, bits) & lanescope_vcmpgeu(a, b, high, bits);
}
LANESCOPE_DEV unsigned lanescope_vextreme(unsigned a, unsigned high, int bits) { return ~high ^ lanescope_vfill(a, high, bits); }
LANESCOPE_DEV unsigned lanescope_vaddss(unsigned a, unsigned b, unsigned high, int bits) {
  const unsigned sum = lanescope_vadd(a, b, high, bits);
  return lanescope_vpick(lanescope_vfill(~(a ^ b) & (a ^ sum), high, bits), lanescope_vextreme(a, high, bits), sum);
}
LANESCOPE_DEV unsigned lanescope_vsubss(unsigned a, unsigned b, unsigned high, int bits) {
  const unsigned rest = lanescope_vsub(a, b, high, bits);
  return lanescope_vpick(lanescope_vfill((a ^ b) & (a ^ rest), high, bits), lanescope_vextreme(a, high, bits), rest);
}

// Averages without the carry: what both have, and half of where they differ.
LANESCOPE_DEV unsigned lanescope_vhaddu(unsigned a, unsigned b, unsigned high, int) { return (a & b) + (((a ^ b) >> 1) & ~high); }
LANESCOPE_DEV unsigned lanescope_vavgu(unsigned a, unsigned b, unsigned high, int) { return (a | b) - (((a ^ b) >> 1) & ~high); }
// A half is rounded away from zero: up, unless what lies below it is negative.
LANESCOPE_DEV unsigned lanescope_vavgs(unsigned a, unsigned b, unsigned high, int bits) {
  const unsigned below = lanescope_vhaddu(a ^ high, b ^ high, high, bits) ^ high;
  return lanescope_vadd(below, (a ^ b) & (~below & high) >> (bits - 1), high, bits);
}
LANESCOPE_DEV unsigned lanescope_vabs(unsigned a, unsigned high, int bits) {
  const unsigned negative = lanescope_vfill(a, high, bits);
  return lanescope_vadd(a ^ negative, (a & high) >> (bits - 1), high, bits);
}
LANESCOPE_DEV unsigned lanescope_vabsss(unsigned a, unsigned high, int bits) {
  const unsigned size = lanescope_vabs(a, high, bits);
  return size - ((size & high) >> (bits - 1));
}
LANESCOPE_DEV unsigned lanescope_vneg(unsigned a, unsigned high, int bits) { return lanescope_vsub(0, a, high, bits); }
LANESCOPE_DEV unsigned lanescope_vnegss(unsigned a, unsigned high, int bits) { return lanescope_vsubss(0, a, high, bits); }

// NAME2 on halfwords, NAME4 on bytes.
#define LANESCOPE_SIMD2(NAME)                                                                                          \
  LANESCOPE_DEV unsigned __##NAME##2(unsigned a, unsigned b) { return lanescope_##NAME(a, b, 0x80008000u, 16); }        \
  LANESCOPE_DEV unsigned __##NAME##4(unsigned a, unsigned b) { return lanescope_##NAME(a, b, 0x80808080u, 8); }
#define LANESCOPE_SIMD1(NAME)                                                                            \
  LANESCOPE_DEV unsigned __##NAME##2(unsigned a) { return lanescope_##NAME(a, 0x80008000u, 16); }         \
  LANESCOPE_DEV unsigned __##NAME##4(unsigned a) { return lanescope_##NAME(a, 0x80808080u, 8); }
// vcmp gives all ones where it holds, vset 1.
#define LANESCOPE_SIMD_COMPARE(NAME)                                                                                           \
  LANESCOPE_SIMD2(vcmp##NAME)                                                                                                   \
  LANESCOPE_DEV unsigned __vset##NAME##2(unsigned a, unsigned b) { return lanescope_vcmp##NAME(a, b, 0x80008000u, 16) & 0x00010001u; } \
  LANESCOPE_DEV unsigned __vset##NAME##4(unsigned a, unsigned b) { return lanescope_vcmp##NAME(a, b, 0x80808080u, 8) & 0x01010101u; }
LANESCOPE_SIMD2(vadd) LANESCOPE_SIMD2(vaddss) LANESCOPE_SIMD2(vaddus)
LANESCOPE_SIMD2(vsub) LANESCOPE_SIMD2(vsubss) LANESCOPE_SIMD2(vsubus)
LANESCOPE_SIMD2(vavgs) LANESCOPE_SIMD2(vavgu) LANESCOPE_SIMD2(vhaddu)
LANESCOPE_SIMD2(vabsdiffs) LANESCOPE_SIMD2(vabsdiffu)
LANESCOPE_SIMD2(vmins) LANESCOPE_SIMD2(vminu) LANESCOPE_SIMD2(vmaxs) LANESCOPE_SIMD2(vmaxu)
LANESCOPE_SIMD1(vabs) LANESCOPE_SIMD1(vabsss) LANESCOPE_SIMD1(vneg) LANESCOPE_SIMD1(vnegss)
LANESCOPE_SIMD_COMPARE(eq) LANESCOPE_SIMD_COMPARE(ne)
LANESCOPE_SIMD_COMPARE(ges) LANESCOPE_SIMD_COMPARE(geu) LANESCOPE_SIMD_COMPARE(gts) LANESCOPE_SIMD_COMPARE(gtu)
LANESCOPE_SIMD_COMPARE(les) LANESCOPE_SIMD_COMPARE(leu) LANESCOPE_SIMD_COMPARE(lts) LANESCOPE_SIMD_COMPARE(ltu)

LANESCOPE_DEV unsigned lanescope_sum2(unsigned w) { return (w & 0xffffu) + (w >> 16); }
LANESCOPE_DEV unsigned lanescope_sum4(unsigned w) { return (w & 0xffu) + (w >> 8 & 0xffu) + (w >> 16 & 0xffu) + (w >> 24); }
LANESCOPE_DEV unsigned __vsads2(unsigned a, unsigned b) { return lanescope_sum2(__vabsdiffs2(a, b)); }
LANESCOPE_DEV unsigned __vsads4(unsigned a, unsigned b) { return lanescope_sum4(__vabsdiffs4(a, b)); }
LANESCOPE_DEV unsigned __vsadu2(unsigned a, unsigned b) { return lanescope_sum2(__vabsdiffu2(a, b)); }
LANESCOPE_DEV unsigned __vsadu4(unsigned a, unsigned b) { return lanescope_sum4(__vabsdiffu4(a, b)); }

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
