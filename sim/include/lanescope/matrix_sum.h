// How an element of D comes about: every product of a matrix instruction, how much of it the tensor
// cores keep, and what a plain sum in float would have given.
//
// Rules as in fragments.h's forms, read from an NVIDIA H200 (cc 9.0): with e the largest of
// exp(a) + exp(b) over the products of a step and exp(c), every product and c are cut toward zero to
// a multiple of 2^(e−25); they are added exactly and the sum is rounded toward zero to float (to
// nearest even to half). Eight-bit floats take two steps, first the k with k mod 4 < 2, and c last. Of m8n8k4 of
// halves nothing is cut: float instructions add, each to nearest even.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lanescope/fragments.h"
#include "lanescope/types.h"

namespace lanescope {

/// The forms that are known with A and B of one type, by type and shape; of b1 with exclusive or.
std::vector<MatrixForm> known_forms();

/// The operands of one instruction as they lie in a warp's registers: by register, the bits of each
/// lane; 32 of them, 64 for f64.
struct MatrixOperands {
  std::vector<LaneRow> a, b, c;
};

/// The bits of an element of an operand, from its low bit on. `rows` must have all registers of the
/// fragment.
std::uint64_t element_bits(const Fragment& fragment, const std::vector<LaneRow>& rows,
                           MatrixElement element);
/// What such bits mean as a number; of tf32 the low 13 bits count for nothing.
double element_value(MatrixType type, std::uint64_t bits);
/// The bits of the number nearest to `value`, of the types that kernels convert to: f16, bf16, tf32,
/// f32, f64 and the integers; eight-bit floats are cut.
std::uint64_t element_from_value(MatrixType type, double value);

/// How a trace keeps a multiplication (StepKind::warp_op): row 0 is its form, a number a lane; then
/// come the registers of A, of B and of C as they were before it was executed.
LaneRow form_row(const MatrixForm& form);
MatrixForm form_of(const LaneRow& row);

/// D = A × B + C as the hardware computes it: registers as of C. `form` must be known (`is_known`).
std::vector<LaneRow> multiply(const MatrixForm& form, const MatrixOperands& operands);

/// One product of a sum, or c.
struct MatrixTerm {
  static constexpr int kStart = -1, kCarried = -2;
  /// Along the shared extent; or c, or what the step before made
  int k = kStart;
  /// The factors; of what is no product both are its value
  double a = 0, b = 0;
  /// The product, exact but for f64; and what of it is added
  double exact = 0, kept = 0;
  /// In which step it is added, from 0
  int step = 0;
  [[nodiscard]] bool cut() const { return kept != exact; }
};

struct MatrixSum {
  /// In the order in which they are added
  std::vector<MatrixTerm> terms;
  /// By step: e, whose multiples of 2^(e−25) are kept; nullopt where nothing is cut, or only zeros or
  /// what is no finite number are added
  std::vector<std::optional<int>> exponents;
  /// Of D, as the accumulator's type has it
  std::uint64_t bits = 0;
  double result = 0;
  /// The products and c added one after the other, c first, each time to nearest even in float; of
  /// half once more at the end. Of integers and f64 the result itself.
  double plain = 0;
};
/// Of one element of D. `form` must be known.
MatrixSum matrix_sum(const MatrixForm& form, const MatrixOperands& operands, MatrixElement element);

}  // namespace lanescope
