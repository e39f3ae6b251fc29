// The sums of float matrix instructions, many columns at a time: what matrix_math.h tells for f16, bf16 and
// tf32, with vector instructions where the machine has them. Infinities and NaN are left to matrix_math.
#pragma once

#include <cstdint>
#include <vector>

#include "model/matrix_math.h"

namespace lanescope {

/// Of D, by rows: each element is `value` × 2^`scale`, exactly, before it is rounded.
struct ExactSums {
  std::vector<std::int64_t> value;
  std::vector<int> scale;
};

/// Whether `exact_sums` knows this form: factors of at most eleven bits, k of at most 16, columns by eights.
bool has_exact_sums(const MatrixForm& form, const MatrixElements& of);

/// False, and nothing is said in `out`, where a factor or an element of C is infinite or no number.
/// `has_exact_sums` must hold.
bool exact_sums(const MatrixForm& form, const MatrixElements& of, ExactSums& out);

}  // namespace lanescope
