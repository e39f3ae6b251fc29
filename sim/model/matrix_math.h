// What the tensor cores compute, bit for bit.
//
// Read from `mma.sync` on an NVIDIA H200 (cc 9.0):
//  * f16, bf16, tf32 with float accumulation: over the whole k at once. Let e be the largest of
//    exp(a) + exp(b) over all products that are not zero (the exponents of the factors, not of the
//    product) and exp(c). Every product, exact, and c are cut toward zero to a multiple of 2^(e−25);
//    they are added exactly; the sum is rounded toward zero to float. tf32 operands lose their low
//    13 bits first.
//  * f16 accumulation: the same sum, rounded to nearest even to half.
//  * e4m3, e5m2: two steps of the rule for f16 with the same accumulation, first the k with
//    k mod 4 < 2, then the others, beginning with zero; c is added last, to nearest even.
//  * e4m3, e5m2 of wgmma: one step over the whole k with c, but cut at 2^(e−13), and the float keeps 13 bits of
//    fraction, toward zero; in half it is the sum to nearest even.
//  * A NaN, infinity times zero and infinities of both signs make 0x7fffffff (0x7fff of half); what
//    passes the largest number is infinity.
//  * s8, u8, s4, u4: exact, modulo 2^32, or clamped with .satfinite. b1: the number of ones.
//  * f64: fused multiply-adds in the order of k.
//  * f16 of m8n8k4, by instructions of float, each to nearest even: c + fma(a3, b3, fma(a2, b2, fma(a1, b1,
//    fma(a0, b0, 0)))); of half accumulation (c + fma(a1, b1, a0·b0)) + fma(a3, b3, a2·b2), made half at the end
//    (`rows/quads.jsonl`).
// All else of wgmma is as of mma.sync (`rows/wgmma.jsonl`). Each form of `is_known` was compared at 192 to
// 768 elements, of ordinary numbers, random bits, numbers near overflow and subnormals, infinities and zeros
// of both signs: no bit differs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lanescope/fragments.h"

namespace lanescope {

/// Rows of registers, by register: 32 lanes of 4 bytes each, of 8 for f64.
struct MatrixRegisters {
  std::array<const std::byte*, 8> a{}, b{}, c{};
  std::array<std::byte*, 8> d{};
};
/// D = A × B + C for a warp. `form` must be known (`is_known`). D may be C.
void multiply(const MatrixForm& form, const MatrixRegisters& registers);

/// The same of matrices by their elements' bits: A by rows, B by columns, so that k runs fastest in both; C and D
/// by rows. `form` tells k and the types, `rows` and `columns` of D how many there are. D may be C.
struct MatrixElements {
  int rows = 0, columns = 0;
  const std::uint32_t *a = nullptr, *b = nullptr, *c = nullptr;
  std::uint32_t* d = nullptr;
};
void multiply(const MatrixForm& form, const MatrixElements& elements);

/// The same sum as a person would add it: products and c added one after the other in float (or
/// half), to nearest even. For showing where the hardware's result differs; of float types only.
float plain_sum(const MatrixForm& form, const MatrixRegisters& registers, MatrixElement element);

}  // namespace lanescope
