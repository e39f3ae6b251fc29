// What PTX instructions compute (PTX ISA, "Instruction Set"). Not seen by kernel texts: it is compiled when
// the program is built, and each function becomes part of a kernel whose inline PTX has the instruction.
// A function is named as sim/ptx/instructions.def says. Its results, if any, go to the instruction's first
// operand, several of them as a vector; the other operands are its arguments, and missing ones are zero. Where
// an instruction of so many operands means something else, its function ends in _of and their number.
#pragma once
// What it is made of comes first, by the build's own -include: the prelude and cuda_fp8.h.

// Of its operands alone; of a guarded one the result is chosen, so it must be harmless for any operands.
#define LANESCOPE_PTX extern "C" __device__ __attribute__((const))
// What touches memory or other lanes, or may be told of a mistake.
#define LANESCOPE_PTX_DOES extern "C" __device__

// TYPE, its C++ type, and the unsigned type that its arithmetic wraps in
#define LANESCOPE_PTX_INTEGERS(EACH)                                                          \
  EACH(u16, unsigned short, unsigned) EACH(s16, short, unsigned) EACH(u32, unsigned, unsigned) \
  EACH(s32, int, unsigned) EACH(u64, unsigned long long, unsigned long long)                  \
  EACH(s64, long long, unsigned long long)
#define LANESCOPE_PTX_BITS(EACH) \
  EACH(b16, unsigned short, 16) EACH(b32, unsigned, 32) EACH(b64, unsigned long long, 64)

// ---- integers ----

#define LANESCOPE_PTX_INTEGER(TYPE, C, U)                                                        \
  LANESCOPE_PTX C ptx_add_##TYPE(C a, C b) { return (C)((U)a + (U)b); }                          \
  LANESCOPE_PTX C ptx_sub_##TYPE(C a, C b) { return (C)((U)a - (U)b); }                          \
  LANESCOPE_PTX C ptx_mul_lo_##TYPE(C a, C b) { return (C)((U)a * (U)b); }                       \
  LANESCOPE_PTX C ptx_mad_lo_##TYPE(C a, C b, C c) { return (C)((U)a * (U)b + (U)c); }           \
  LANESCOPE_PTX_DOES C ptx_div_##TYPE(C a, C b) { return (C)(a / b); }                           \
  LANESCOPE_PTX_DOES C ptx_rem_##TYPE(C a, C b) { return (C)(a % b); }                           \
  LANESCOPE_PTX C ptx_min_##TYPE(C a, C b) { return a < b ? a : b; }                             \
  LANESCOPE_PTX C ptx_max_##TYPE(C a, C b) { return a < b ? b : a; }                             \
  LANESCOPE_PTX C ptx_sad_##TYPE(C a, C b, C c) { return (C)((U)c + (a < b ? (U)b - (U)a : (U)a - (U)b)); }
LANESCOPE_PTX_INTEGERS(LANESCOPE_PTX_INTEGER)
#define LANESCOPE_PTX_SIGNED(TYPE, C, U)                                            \
  LANESCOPE_PTX C ptx_neg_##TYPE(C a) { return (C)(0 - (U)a); }                     \
  LANESCOPE_PTX C ptx_abs_##TYPE(C a) { return a < 0 ? (C)(0 - (U)a) : a; }
LANESCOPE_PTX_SIGNED(s16, short, unsigned)
LANESCOPE_PTX_SIGNED(s32, int, unsigned)
LANESCOPE_PTX_SIGNED(s64, long long, unsigned long long)

#define LANESCOPE_PTX_WIDE(TYPE, C, WIDE_TYPE, WIDE, UNSIGNED)                                              \
  LANESCOPE_PTX WIDE ptx_mul_wide_##TYPE(C a, C b) { return (WIDE)((UNSIGNED)(WIDE)a * (UNSIGNED)(WIDE)b); } \
  LANESCOPE_PTX WIDE ptx_mad_wide_##TYPE(C a, C b, WIDE c) {                                                \
    return (WIDE)((UNSIGNED)(WIDE)a * (UNSIGNED)(WIDE)b + (UNSIGNED)c);                                     \
  }                                                                                                         \
  LANESCOPE_PTX C ptx_mul_hi_##TYPE(C a, C b) { return (C)(((WIDE)a * (WIDE)b) >> sizeof(C) * 8); }         \
  LANESCOPE_PTX C ptx_mad_hi_##TYPE(C a, C b, C c) {                                                        \
    return (C)((UNSIGNED)(((WIDE)a * (WIDE)b) >> sizeof(C) * 8) + (UNSIGNED)c);                             \
  }
LANESCOPE_PTX_WIDE(u16, unsigned short, u32, unsigned, unsigned)
LANESCOPE_PTX_WIDE(s16, short, s32, int, unsigned)
LANESCOPE_PTX_WIDE(u32, unsigned, u64, unsigned long long, unsigned long long)
LANESCOPE_PTX_WIDE(s32, int, s64, long long, unsigned long long)
LANESCOPE_PTX unsigned long long ptx_mul_hi_u64(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }
LANESCOPE_PTX long long ptx_mul_hi_s64(long long a, long long b) { return __mul64hi(a, b); }
LANESCOPE_PTX unsigned long long ptx_mad_hi_u64(unsigned long long a, unsigned long long b, unsigned long long c) {
  return __umul64hi(a, b) + c;
}
LANESCOPE_PTX int ptx_mul24_lo_s32(int a, int b) { return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8)); }
LANESCOPE_PTX unsigned ptx_mul24_lo_u32(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
LANESCOPE_PTX int lanescope_saturated_s32(long long a) {
  return a > 0x7fffffffll ? 0x7fffffff : a < -0x80000000ll ? (int)0x80000000u : (int)a;
}
LANESCOPE_PTX int ptx_add_sat_s32(int a, int b) { return lanescope_saturated_s32((long long)a + b); }
LANESCOPE_PTX int ptx_sub_sat_s32(int a, int b) { return lanescope_saturated_s32((long long)a - b); }

// With the carry that PTX keeps aside: a result beside the first, an operand behind the last.
#define LANESCOPE_PTX_CARRY(TYPE, C, BITS)                                                                      \
  typedef C lanescope_carried_##TYPE __attribute__((ext_vector_type(2)));                                       \
  LANESCOPE_PTX lanescope_carried_##TYPE lanescope_add_##TYPE(C a, C b, bool carry) {                            \
    const C sum = a + b, all = sum + carry;                                                                     \
    return lanescope_carried_##TYPE{all, (C)(sum < a || all < sum)};                                                                         \
  }                                                                                                             \
  LANESCOPE_PTX lanescope_carried_##TYPE lanescope_sub_##TYPE(C a, C b, bool borrow) {                           \
    const C gap = a - b;                                                                                        \
    return lanescope_carried_##TYPE{gap - borrow, (C)(a < b || gap < (C)borrow)};                                                            \
  }
LANESCOPE_PTX_CARRY(u32, unsigned, 32)
LANESCOPE_PTX_CARRY(u64, unsigned long long, 64)
#define LANESCOPE_PTX_CARRIES(TYPE, AS, C, HIGH)                                                                        \
  LANESCOPE_PTX lanescope_carried_##AS ptx_add_cc_##TYPE(C a, C b) { return lanescope_add_##AS(a, b, false); }          \
  LANESCOPE_PTX lanescope_carried_##AS ptx_addc_cc_##TYPE(C a, C b, bool c) { return lanescope_add_##AS(a, b, c); }     \
  LANESCOPE_PTX C ptx_addc_##TYPE(C a, C b, bool c) { return a + b + c; }                                               \
  LANESCOPE_PTX lanescope_carried_##AS ptx_sub_cc_##TYPE(C a, C b) { return lanescope_sub_##AS(a, b, false); }          \
  LANESCOPE_PTX lanescope_carried_##AS ptx_subc_cc_##TYPE(C a, C b, bool c) { return lanescope_sub_##AS(a, b, c); }     \
  LANESCOPE_PTX C ptx_subc_##TYPE(C a, C b, bool c) { return a - b - c; }                                               \
  LANESCOPE_PTX lanescope_carried_##AS ptx_mad_lo_cc_##TYPE(C a, C b, C c) { return lanescope_add_##AS(a * b, c, false); } \
  LANESCOPE_PTX lanescope_carried_##AS ptx_madc_lo_cc_##TYPE(C a, C b, C c, bool in) { return lanescope_add_##AS(a * b, c, in); } \
  LANESCOPE_PTX C ptx_madc_lo_##TYPE(C a, C b, C c, bool in) { return a * b + c + in; }                                 \
  LANESCOPE_PTX lanescope_carried_##AS ptx_mad_hi_cc_##TYPE(C a, C b, C c) { return lanescope_add_##AS(HIGH, c, false); } \
  LANESCOPE_PTX lanescope_carried_##AS ptx_madc_hi_cc_##TYPE(C a, C b, C c, bool in) { return lanescope_add_##AS(HIGH, c, in); } \
  LANESCOPE_PTX C ptx_madc_hi_##TYPE(C a, C b, C c, bool in) { return (C)(HIGH) + c + in; }
LANESCOPE_PTX_CARRIES(u32, u32, unsigned, ptx_mul_hi_u32(a, b))
LANESCOPE_PTX_CARRIES(s32, u32, unsigned, (unsigned)ptx_mul_hi_s32((int)a, (int)b))
LANESCOPE_PTX_CARRIES(u64, u64, unsigned long long, ptx_mul_hi_u64(a, b))
LANESCOPE_PTX_CARRIES(s64, u64, unsigned long long, (unsigned long long)ptx_mul_hi_s64((long long)a, (long long)b))

// ---- bits ----

#define LANESCOPE_PTX_BITWISE(TYPE, C, BITS)                                                    \
  LANESCOPE_PTX C ptx_and_##TYPE(C a, C b) { return a & b; }                                    \
  LANESCOPE_PTX C ptx_or_##TYPE(C a, C b) { return a | b; }                                     \
  LANESCOPE_PTX C ptx_xor_##TYPE(C a, C b) { return a ^ b; }                                    \
  LANESCOPE_PTX C ptx_not_##TYPE(C a) { return (C)~a; }                                         \
  LANESCOPE_PTX C ptx_cnot_##TYPE(C a) { return a == 0; }                                       \
  LANESCOPE_PTX C ptx_shl_##TYPE(C a, unsigned n) { return n < BITS ? (C)(a << (n & (BITS - 1))) : (C)0; } \
  LANESCOPE_PTX C ptx_shr_##TYPE(C a, unsigned n) { return n < BITS ? (C)(a >> (n & (BITS - 1))) : (C)0; }
LANESCOPE_PTX_BITS(LANESCOPE_PTX_BITWISE)
LANESCOPE_PTX bool ptx_and_pred(bool a, bool b) { return a & b; }
LANESCOPE_PTX bool ptx_or_pred(bool a, bool b) { return a | b; }
LANESCOPE_PTX bool ptx_xor_pred(bool a, bool b) { return a ^ b; }
LANESCOPE_PTX bool ptx_not_pred(bool a) { return !a; }
#define LANESCOPE_PTX_SHIFT(TYPE, C, U) \
  LANESCOPE_PTX C ptx_shr_##TYPE(C a, unsigned n) { return a >> (n < sizeof(C) * 8 ? n : sizeof(C) * 8 - 1); }
LANESCOPE_PTX_SHIFT(s16, short, unsigned)
LANESCOPE_PTX_SHIFT(s32, int, unsigned)
LANESCOPE_PTX_SHIFT(s64, long long, unsigned long long)
LANESCOPE_PTX unsigned short ptx_shr_u16(unsigned short a, unsigned n) { return ptx_shr_b16(a, n); }
LANESCOPE_PTX unsigned ptx_shr_u32(unsigned a, unsigned n) { return ptx_shr_b32(a, n); }
LANESCOPE_PTX unsigned long long ptx_shr_u64(unsigned long long a, unsigned n) { return ptx_shr_b64(a, n); }
LANESCOPE_PTX unsigned ptx_shf_l_wrap_b32(unsigned a, unsigned b, unsigned n) { return __funnelshift_l(a, b, n); }
LANESCOPE_PTX unsigned ptx_shf_l_clamp_b32(unsigned a, unsigned b, unsigned n) { return __funnelshift_lc(a, b, n); }
LANESCOPE_PTX unsigned ptx_shf_r_wrap_b32(unsigned a, unsigned b, unsigned n) { return __funnelshift_r(a, b, n); }
LANESCOPE_PTX unsigned ptx_shf_r_clamp_b32(unsigned a, unsigned b, unsigned n) { return __funnelshift_rc(a, b, n); }

// Bit i of the table is the result for a, b and c being the bits of i, the highest first.
LANESCOPE_PTX unsigned ptx_lop3_b32(unsigned a, unsigned b, unsigned c, unsigned table) {
  switch (table & 255u) {  // those that are written most, in as many operations as they need
  case 0x96: return a ^ b ^ c;
  case 0xc0: return a & b;
  case 0xea: return (a & b) | c;
  case 0x6a: return (a & b) ^ c;
  case 0xf8: return a | (b & c);
  case 0xca: return (a & b) | (~a & c);
  case 0xe8: return (a & b) | (a & c) | (b & c);
  case 0xfe: return a | b | c;
  case 0x80: return a & b & c;
  default: break;
  }
  unsigned out = 0;
#define LANESCOPE_PTX_TERM(I) \
  out |= (0u - (table >> I & 1u)) & (I & 4 ? a : ~a) & (I & 2 ? b : ~b) & (I & 1 ? c : ~c);
  LANESCOPE_PTX_TERM(0) LANESCOPE_PTX_TERM(1) LANESCOPE_PTX_TERM(2) LANESCOPE_PTX_TERM(3)
  LANESCOPE_PTX_TERM(4) LANESCOPE_PTX_TERM(5) LANESCOPE_PTX_TERM(6) LANESCOPE_PTX_TERM(7)
  return out;
}
LANESCOPE_PTX unsigned ptx_prmt_b32(unsigned a, unsigned b, unsigned s) { return __byte_perm(a, b, s); }
// The modes give the four bytes' numbers by the two low bits of the selector.
#define LANESCOPE_PTX_PERMUTE(MODE, S0, S1, S2, S3)                                              \
  LANESCOPE_PTX unsigned ptx_prmt_b32_##MODE(unsigned a, unsigned b, unsigned s) {                \
    s &= 3u;                                                                                     \
    return __byte_perm(a, b, (S0) | (S1) << 4 | (S2) << 8 | (S3) << 12);                         \
  }
LANESCOPE_PTX_PERMUTE(f4e, s, s + 1, s + 2, s + 3)
LANESCOPE_PTX_PERMUTE(b4e, s, (s + 7) & 7, (s + 6) & 7, (s + 5) & 7)
LANESCOPE_PTX_PERMUTE(rc8, s, s, s, s)
LANESCOPE_PTX_PERMUTE(ecl, s, s > 1 ? s : 1, s > 2 ? s : 2, 3)
LANESCOPE_PTX_PERMUTE(ecr, 0, s < 1 ? s : 1, s < 2 ? s : 2, s)
LANESCOPE_PTX_PERMUTE(rc16, (s & 1) * 2, (s & 1) * 2 + 1, (s & 1) * 2, (s & 1) * 2 + 1)

#define LANESCOPE_PTX_FIELD(UTYPE, STYPE, BTYPE, U, S, BITS)                                                \
  LANESCOPE_PTX U lanescope_low_##UTYPE(unsigned n) { return n < BITS ? ((U)1 << (n & (BITS - 1))) - 1 : ~(U)0; } \
  LANESCOPE_PTX U ptx_bfe_##UTYPE(U a, unsigned at, unsigned n) {                                            \
    return ptx_shr_##BTYPE(a, at & 255u) & lanescope_low_##UTYPE(n & 255u);                                  \
  }                                                                                                         \
  LANESCOPE_PTX S ptx_bfe_##STYPE(S a, unsigned at, unsigned n) {                                            \
    at &= 255u, n &= 255u;                                                                                  \
    const unsigned last = at + n - 1u, top = n == 0 ? 0u : last < BITS - 1u ? last : BITS - 1u;               \
    const U mask = lanescope_low_##UTYPE(n), sign = n != 0 ? (U)a >> top & 1u : 0;                           \
    return (S)((ptx_shr_##BTYPE((U)a, at) & mask & (at < BITS ? ~(U)0 >> (at & (BITS - 1)) : 0)) |           \
               ((0 - sign) & ~(mask & (at < BITS ? ~(U)0 >> (at & (BITS - 1)) : 0))));                       \
  }                                                                                                         \
  LANESCOPE_PTX U ptx_bfi_##BTYPE(U a, U b, unsigned at, unsigned n) {                                       \
    const U mask = ptx_shl_##BTYPE(lanescope_low_##UTYPE(n & 255u), at & 255u);                              \
    return (b & ~mask) | (ptx_shl_##BTYPE(a, at & 255u) & mask);                                            \
  }
LANESCOPE_PTX_FIELD(u32, s32, b32, unsigned, int, 32)
LANESCOPE_PTX_FIELD(u64, s64, b64, unsigned long long, long long, 64)
LANESCOPE_PTX unsigned ptx_bmsk_clamp_b32(unsigned at, unsigned n) { return ptx_shl_b32(lanescope_low_u32(n), at); }
LANESCOPE_PTX unsigned ptx_bmsk_wrap_b32(unsigned at, unsigned n) {
  return ptx_shl_b32(lanescope_low_u32(n & 31u), at & 31u);
}
LANESCOPE_PTX unsigned ptx_brev_b32(unsigned a) { return __brev(a); }
LANESCOPE_PTX unsigned long long ptx_brev_b64(unsigned long long a) { return __brevll(a); }
LANESCOPE_PTX unsigned ptx_popc_b32(unsigned a) { return __builtin_popcount(a); }
LANESCOPE_PTX unsigned ptx_popc_b64(unsigned long long a) { return __builtin_popcountll(a); }
LANESCOPE_PTX unsigned ptx_clz_b32(unsigned a) { return a == 0 ? 32 : __builtin_clz(a); }
LANESCOPE_PTX unsigned ptx_clz_b64(unsigned long long a) { return a == 0 ? 64 : __builtin_clzll(a); }
#define LANESCOPE_PTX_FIND(TYPE, C, COUNT, BITS, FLIP)                                                          \
  LANESCOPE_PTX unsigned ptx_bfind_##TYPE(C a) { return (unsigned)(BITS - 1) - COUNT(FLIP); }                   \
  LANESCOPE_PTX unsigned ptx_bfind_shiftamt_##TYPE(C a) { return (FLIP) == 0 ? 0xffffffffu : COUNT(FLIP); }
LANESCOPE_PTX_FIND(u32, unsigned, ptx_clz_b32, 32, a)
LANESCOPE_PTX_FIND(s32, int, ptx_clz_b32, 32, (unsigned)(a < 0 ? ~a : a))
LANESCOPE_PTX_FIND(u64, unsigned long long, ptx_clz_b64, 64, a)
LANESCOPE_PTX_FIND(s64, long long, ptx_clz_b64, 64, (unsigned long long)(a < 0 ? ~a : a))
LANESCOPE_PTX unsigned ptx_fns_b32(unsigned a, unsigned base, int n) { return __fns(a, base, n); }
LANESCOPE_PTX int ptx_dp4a_s32_s32(int a, int b, int c) { return __dp4a(a, b, c); }
LANESCOPE_PTX unsigned ptx_dp4a_u32_u32(unsigned a, unsigned b, unsigned c) { return __dp4a(a, b, c); }
// Of all parts of a word; `c` is what parts left out would keep, or what the sum of the parts is added to.
#define LANESCOPE_PTX_PARTS(NAME, TYPE, FUNCTION) \
  LANESCOPE_PTX unsigned ptx_##NAME##_##TYPE(unsigned a, unsigned b, unsigned) { return FUNCTION(a, b); }
LANESCOPE_PTX_PARTS(vadd2, u32_u32_u32, __vadd2) LANESCOPE_PTX_PARTS(vadd4, u32_u32_u32, __vadd4)
LANESCOPE_PTX_PARTS(vsub2, u32_u32_u32, __vsub2) LANESCOPE_PTX_PARTS(vsub4, u32_u32_u32, __vsub4)
LANESCOPE_PTX_PARTS(vmin2, u32_u32_u32, __vminu2) LANESCOPE_PTX_PARTS(vmin4, u32_u32_u32, __vminu4)
LANESCOPE_PTX_PARTS(vmax2, u32_u32_u32, __vmaxu2) LANESCOPE_PTX_PARTS(vmax4, u32_u32_u32, __vmaxu4)
LANESCOPE_PTX_PARTS(vmin2, s32_s32_s32, __vmins2) LANESCOPE_PTX_PARTS(vmin4, s32_s32_s32, __vmins4)
LANESCOPE_PTX_PARTS(vmax2, s32_s32_s32, __vmaxs2) LANESCOPE_PTX_PARTS(vmax4, s32_s32_s32, __vmaxs4)
LANESCOPE_PTX_PARTS(vabsdiff2, u32_u32_u32, __vabsdiffu2) LANESCOPE_PTX_PARTS(vabsdiff4, u32_u32_u32, __vabsdiffu4)
LANESCOPE_PTX unsigned ptx_vabsdiff2_u32_u32_u32_add(unsigned a, unsigned b, unsigned c) { return __vsadu2(a, b) + c; }
LANESCOPE_PTX unsigned ptx_vabsdiff4_u32_u32_u32_add(unsigned a, unsigned b, unsigned c) { return __vsadu4(a, b) + c; }
LANESCOPE_PTX int ptx_dp2a_lo_s32_s32(int a, int b, int c) { return __dp2a_lo(a, b, c); }
LANESCOPE_PTX int ptx_dp2a_hi_s32_s32(int a, int b, int c) { return __dp2a_hi(a, b, c); }
LANESCOPE_PTX unsigned ptx_dp2a_lo_u32_u32(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b, c); }
LANESCOPE_PTX unsigned ptx_dp2a_hi_u32_u32(unsigned a, unsigned b, unsigned c) { return __dp2a_hi(a, b, c); }

// ---- floats ----

#define LANESCOPE_PTX_FLOAT(TYPE, C, SUFFIX)                                                    \
  LANESCOPE_PTX C ptx_add_##TYPE(C a, C b) { return a + b; }                                    \
  LANESCOPE_PTX C ptx_sub_##TYPE(C a, C b) { return a - b; }                                    \
  LANESCOPE_PTX C ptx_mul_##TYPE(C a, C b) { return a * b; }                                    \
  LANESCOPE_PTX C ptx_div_##TYPE(C a, C b) { return a / b; }                                    \
  LANESCOPE_PTX C ptx_fma_##TYPE(C a, C b, C c) { return __builtin_fma##SUFFIX(a, b, c); }      \
  LANESCOPE_PTX C ptx_mad_##TYPE(C a, C b, C c) { return __builtin_fma##SUFFIX(a, b, c); }      \
  LANESCOPE_PTX C ptx_neg_##TYPE(C a) { return -a; }                                            \
  LANESCOPE_PTX C ptx_abs_##TYPE(C a) { return __builtin_fabs##SUFFIX(a); }                     \
  LANESCOPE_PTX C ptx_min_##TYPE(C a, C b) { return __builtin_fmin##SUFFIX(a, b); }             \
  LANESCOPE_PTX C ptx_max_##TYPE(C a, C b) { return __builtin_fmax##SUFFIX(a, b); }             \
  LANESCOPE_PTX C ptx_sqrt_##TYPE(C a) { return __builtin_sqrt##SUFFIX(a); }                    \
  LANESCOPE_PTX C ptx_rcp_##TYPE(C a) { return (C)1 / a; }                                      \
  LANESCOPE_PTX C ptx_rsqrt_##TYPE(C a) { return (C)(1.0 / __builtin_sqrt((double)a)); }        \
  LANESCOPE_PTX C ptx_copysign_##TYPE(C a, C b) { return __builtin_copysign##SUFFIX(b, a); }    \
  LANESCOPE_PTX C ptx_cvt_rni_##TYPE##_##TYPE(C a) { return __builtin_rint##SUFFIX(a); }        \
  LANESCOPE_PTX C ptx_cvt_rzi_##TYPE##_##TYPE(C a) { return __builtin_trunc##SUFFIX(a); }       \
  LANESCOPE_PTX C ptx_cvt_rmi_##TYPE##_##TYPE(C a) { return __builtin_floor##SUFFIX(a); }       \
  LANESCOPE_PTX C ptx_cvt_rpi_##TYPE##_##TYPE(C a) { return __builtin_ceil##SUFFIX(a); }        \
  LANESCOPE_PTX C ptx_cvt_##TYPE##_##TYPE(C a) { return a; }                                    \
  LANESCOPE_PTX bool ptx_testp_finite_##TYPE(C a) { return a - a == 0; }                        \
  LANESCOPE_PTX bool ptx_testp_infinite_##TYPE(C a) { return a - a != 0 && a == a; }            \
  LANESCOPE_PTX bool ptx_testp_number_##TYPE(C a) { return a == a; }                            \
  LANESCOPE_PTX bool ptx_testp_notanumber_##TYPE(C a) { return a != a; }
LANESCOPE_PTX_FLOAT(f32, float, f)
LANESCOPE_PTX_FLOAT(f64, double, )
LANESCOPE_PTX float ptx_min_NaN_f32(float a, float b) { return a != a || b != b ? __builtin_nanf("") : __builtin_fminf(a, b); }
LANESCOPE_PTX float ptx_max_NaN_f32(float a, float b) { return a != a || b != b ? __builtin_nanf("") : __builtin_fmaxf(a, b); }
LANESCOPE_PTX float ptx_sin_f32(float a) { return __builtin_sinf(a); }
LANESCOPE_PTX float ptx_cos_f32(float a) { return __builtin_cosf(a); }
LANESCOPE_PTX float ptx_lg2_f32(float a) { return __builtin_log2f(a); }
LANESCOPE_PTX float ptx_ex2_f32(float a) { return __builtin_exp2f(a); }
LANESCOPE_PTX float ptx_tanh_f32(float a) { return __builtin_tanhf(a); }
LANESCOPE_PTX float ptx_flush_f32(float a) { return __builtin_fabsf(a) < 1.17549435e-38f ? __builtin_copysignf(0.0f, a) : a; }
LANESCOPE_PTX float ptx_saturate_f32(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }
LANESCOPE_PTX double ptx_saturate_f64(double a) { return a > 0.0 ? (a < 1.0 ? a : 1.0) : 0.0; }
#define LANESCOPE_PTX_DIRECTED(MODE, OURS)                                                        \
  LANESCOPE_PTX float ptx_add_##MODE##_f32(float a, float b) { return __fadd_##OURS(a, b); }       \
  LANESCOPE_PTX float ptx_sub_##MODE##_f32(float a, float b) { return __fsub_##OURS(a, b); }       \
  LANESCOPE_PTX float ptx_mul_##MODE##_f32(float a, float b) { return __fmul_##OURS(a, b); }       \
  LANESCOPE_PTX float ptx_fma_##MODE##_f32(float a, float b, float c) { return __fmaf_##OURS(a, b, c); } \
  LANESCOPE_PTX float ptx_div_##MODE##_f32(float a, float b) { return __fdiv_##OURS(a, b); }       \
  LANESCOPE_PTX float ptx_rcp_##MODE##_f32(float a) { return __frcp_##OURS(a); }                   \
  LANESCOPE_PTX float ptx_sqrt_##MODE##_f32(float a) { return __fsqrt_##OURS(a); }                 \
  LANESCOPE_PTX double ptx_add_##MODE##_f64(double a, double b) { return __dadd_##OURS(a, b); }    \
  LANESCOPE_PTX double ptx_sub_##MODE##_f64(double a, double b) { return __dsub_##OURS(a, b); }    \
  LANESCOPE_PTX float ptx_cvt_##MODE##_f32_f64(double a) { return __double2float_##OURS(a); }      \
  LANESCOPE_PTX float ptx_cvt_##MODE##_f32_s32(int a) { return __int2float_##OURS(a); }            \
  LANESCOPE_PTX float ptx_cvt_##MODE##_f32_u32(unsigned a) { return __uint2float_##OURS(a); }      \
  LANESCOPE_PTX float ptx_cvt_##MODE##_f32_s64(long long a) { return __ll2float_##OURS(a); }       \
  LANESCOPE_PTX float ptx_cvt_##MODE##_f32_u64(unsigned long long a) { return __ull2float_##OURS(a); } \
  LANESCOPE_PTX double ptx_cvt_##MODE##_f64_s64(long long a) { return __ll2double_##OURS(a); }     \
  LANESCOPE_PTX double ptx_cvt_##MODE##_f64_u64(unsigned long long a) { return __ull2double_##OURS(a); } \
  LANESCOPE_PTX unsigned short ptx_cvt_##MODE##_f16_f32(float a) { return __float2half_##OURS(a).lanescope_bits(); } \
  LANESCOPE_PTX unsigned short ptx_cvt_##MODE##_bf16_f32(float a) { return __float2bfloat16_##OURS(a).lanescope_bits(); }
LANESCOPE_PTX_DIRECTED(rz, rz)
LANESCOPE_PTX_DIRECTED(rm, rd)
LANESCOPE_PTX_DIRECTED(rp, ru)

// ---- halves, alone and two in a register ----

#define LANESCOPE_PTX_HALF(TYPE, H, H2)                                                                      \
  LANESCOPE_PTX H lanescope_##TYPE(unsigned bits) { return H::of_bits((unsigned short)bits); }                \
  LANESCOPE_PTX unsigned lanescope_packed_##TYPE(const H& low, const H& high) {                               \
    return (unsigned)low.lanescope_bits() | (unsigned)high.lanescope_bits() << 16;                           \
  }                                                                                                          \
  LANESCOPE_PTX float ptx_cvt_f32_##TYPE(unsigned short a) { return lanescope_##TYPE(a).lanescope_float(); }  \
  LANESCOPE_PTX double ptx_cvt_f64_##TYPE(unsigned short a) { return lanescope_##TYPE(a).lanescope_float(); } \
  LANESCOPE_PTX unsigned short ptx_cvt_##TYPE##_f32(float a) { return H::of(a).lanescope_bits(); }            \
  LANESCOPE_PTX unsigned short ptx_cvt_relu_##TYPE##_f32(float a) { return lanescope_relu(H::of(a)).lanescope_bits(); } \
  LANESCOPE_PTX unsigned short ptx_cvt_##TYPE##_f64(double a) { return H::of(a).lanescope_bits(); }           \
  LANESCOPE_PTX unsigned ptx_cvt_##TYPE##x2_f32(float a, float b) { return lanescope_packed_##TYPE(H::of(b), H::of(a)); } \
  LANESCOPE_PTX unsigned ptx_cvt_relu_##TYPE##x2_f32(float a, float b) {                                      \
    return lanescope_packed_##TYPE(lanescope_relu(H::of(b)), lanescope_relu(H::of(a)));                      \
  }
LANESCOPE_PTX_HALF(f16, __half, __half2)
LANESCOPE_PTX_HALF(bf16, __nv_bfloat16, __nv_bfloat162)
LANESCOPE_PTX unsigned ptx_cvt_rz_f16x2_f32(float a, float b) { return ptx_cvt_rz_f16_f32(b) | (unsigned)ptx_cvt_rz_f16_f32(a) << 16; }
LANESCOPE_PTX unsigned ptx_cvt_rz_bf16x2_f32(float a, float b) { return ptx_cvt_rz_bf16_f32(b) | (unsigned)ptx_cvt_rz_bf16_f32(a) << 16; }
#define LANESCOPE_PTX_HALF_UNARY(NAME, TYPE, EXPR)                                              \
  LANESCOPE_PTX unsigned short ptx_##NAME##_##TYPE(unsigned short x) {                          \
    const auto a = lanescope_##TYPE(x);                                                         \
    return (EXPR).lanescope_bits();                                                             \
  }                                                                                             \
  LANESCOPE_PTX unsigned ptx_##NAME##_##TYPE##x2(unsigned x) {                                  \
    return ptx_##NAME##_##TYPE((unsigned short)x) | (unsigned)ptx_##NAME##_##TYPE((unsigned short)(x >> 16)) << 16; \
  }
#define LANESCOPE_PTX_HALF_BINARY(NAME, TYPE, EXPR)                                             \
  LANESCOPE_PTX unsigned short ptx_##NAME##_##TYPE(unsigned short x, unsigned short y) {        \
    const auto a = lanescope_##TYPE(x), b = lanescope_##TYPE(y);                                \
    return (EXPR).lanescope_bits();                                                             \
  }                                                                                             \
  LANESCOPE_PTX unsigned ptx_##NAME##_##TYPE##x2(unsigned x, unsigned y) {                      \
    return ptx_##NAME##_##TYPE((unsigned short)x, (unsigned short)y) |                          \
           (unsigned)ptx_##NAME##_##TYPE((unsigned short)(x >> 16), (unsigned short)(y >> 16)) << 16; \
  }
#define LANESCOPE_PTX_HALF_TERNARY(NAME, TYPE, EXPR)                                            \
  LANESCOPE_PTX unsigned short ptx_##NAME##_##TYPE(unsigned short x, unsigned short y, unsigned short z) { \
    const auto a = lanescope_##TYPE(x), b = lanescope_##TYPE(y), c = lanescope_##TYPE(z);       \
    return (EXPR).lanescope_bits();                                                             \
  }                                                                                             \
  LANESCOPE_PTX unsigned ptx_##NAME##_##TYPE##x2(unsigned x, unsigned y, unsigned z) {          \
    return ptx_##NAME##_##TYPE((unsigned short)x, (unsigned short)y, (unsigned short)z) |       \
           (unsigned)ptx_##NAME##_##TYPE((unsigned short)(x >> 16), (unsigned short)(y >> 16), (unsigned short)(z >> 16)) << 16; \
  }
#define LANESCOPE_PTX_HALVES(TYPE)                                                    \
  LANESCOPE_PTX_HALF_BINARY(add, TYPE, lanescope_add(a, b))                           \
  LANESCOPE_PTX_HALF_BINARY(add_sat, TYPE, lanescope_saturated(lanescope_add(a, b)))  \
  LANESCOPE_PTX_HALF_BINARY(sub, TYPE, lanescope_sub(a, b))                           \
  LANESCOPE_PTX_HALF_BINARY(sub_sat, TYPE, lanescope_saturated(lanescope_sub(a, b)))  \
  LANESCOPE_PTX_HALF_BINARY(mul, TYPE, lanescope_mul(a, b))                           \
  LANESCOPE_PTX_HALF_BINARY(mul_sat, TYPE, lanescope_saturated(lanescope_mul(a, b)))  \
  LANESCOPE_PTX_HALF_TERNARY(fma, TYPE, lanescope_fma(a, b, c))                       \
  LANESCOPE_PTX_HALF_TERNARY(fma_sat, TYPE, lanescope_saturated(lanescope_fma(a, b, c))) \
  LANESCOPE_PTX_HALF_TERNARY(fma_relu, TYPE, lanescope_relu(lanescope_fma(a, b, c)))  \
  LANESCOPE_PTX_HALF_UNARY(neg, TYPE, __hneg(a))                                      \
  LANESCOPE_PTX_HALF_UNARY(abs, TYPE, __habs(a))                                      \
  LANESCOPE_PTX_HALF_BINARY(min, TYPE, __hmin(a, b))                                  \
  LANESCOPE_PTX_HALF_BINARY(max, TYPE, __hmax(a, b))                                  \
  LANESCOPE_PTX_HALF_BINARY(min_NaN, TYPE, __hmin_nan(a, b))                          \
  LANESCOPE_PTX_HALF_BINARY(max_NaN, TYPE, __hmax_nan(a, b))                          \
  LANESCOPE_PTX_HALF_UNARY(ex2, TYPE, decltype(a)::of(__builtin_exp2f(a.lanescope_float()))) \
  LANESCOPE_PTX_HALF_UNARY(tanh, TYPE, decltype(a)::of(__builtin_tanhf(a.lanescope_float())))
LANESCOPE_PTX_HALVES(f16)
LANESCOPE_PTX_HALVES(bf16)
#include <lanescope_ptx_conversions.h>
#include <lanescope_ptx_warp.h>
#include <lanescope_ptx_wmma.h>
