// The factors of matrix instructions as whole numbers with exponents: what multiplying (matrix_math) and
// telling how a sum came about (matrix_sum) begin with.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "lanescope/fragments.h"

namespace lanescope::matrix {

/// Below the largest exponent, how far down products are kept.
inline constexpr int kKept = 25;

/// A factor: ± significand × 2^(exponent − kFraction), the significand in [2^kFraction, 2^(kFraction+1))
/// for normal numbers.
struct Factor {
  static constexpr int kFraction = 10;
  std::int32_t significand = 0;
  std::int16_t exponent = 0;
  bool infinite = false, nan = false;
  [[nodiscard]] bool is_zero() const { return significand == 0 && !infinite && !nan; }
};

/// Of a float format: its widths, and what its highest exponent means.
struct Format {
  int exponent_bits, fraction_bits;
  /// The highest exponent holds infinity and NaN; otherwise only all ones is NaN (e4m3)
  bool ieee = true;
};

inline Format format_of(MatrixType type) {
  switch (type) {
  case MatrixType::f16:
    return {5, 10};
  case MatrixType::bf16:
    return {8, 7};
  case MatrixType::tf32:
    return {8, 10};
  case MatrixType::e4m3:
    return {4, 3, false};
  default:
    return {5, 2};
  }
}

inline Factor decode(const Format& format, std::uint32_t bits) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1, top = (1 << format.exponent_bits) - 1;
  const auto fraction = static_cast<std::int32_t>(bits & ((1u << format.fraction_bits) - 1));
  const auto biased = static_cast<int>(bits >> format.fraction_bits & static_cast<unsigned>(top));
  const bool negative = bits >> (format.exponent_bits + format.fraction_bits) & 1;
  Factor out;
  if (biased == top && (format.ieee || fraction == (1 << format.fraction_bits) - 1)) {
    out.nan = !format.ieee || fraction != 0;
    out.infinite = !out.nan;
    out.significand = negative ? -1 : 1;
    return out;
  }
  const std::int32_t whole = biased == 0 ? fraction : fraction | 1 << format.fraction_bits;
  out.significand = whole << (Factor::kFraction - format.fraction_bits);
  if (negative) out.significand = -out.significand;
  out.exponent = static_cast<std::int16_t>(std::max(biased, 1) - bias);
  return out;
}

/// One row of A and one column of B, taken with `stride` through k.
struct Dot {
  const Factor* a;
  const Factor* b;
  int count;
};

inline Factor decode_float(float c) {
  const auto bits = std::bit_cast<std::uint32_t>(c);
  Factor out;
  const auto biased = static_cast<int>(bits >> 23 & 255);
  const auto fraction = static_cast<std::int32_t>(bits & 0x7FFFFF);
  if (biased == 255) {
    out.nan = fraction != 0, out.infinite = !out.nan;
    out.significand = bits >> 31 ? -1 : 1;
    return out;
  }
  out.significand = biased == 0 ? fraction : fraction | 1 << 23;
  if (bits >> 31) out.significand = -out.significand;
  out.exponent = static_cast<std::int16_t>(std::max(biased, 1) - 127);
  return out;
}

/// What decides how a sum is made, before anything is added.
struct Scan {
  /// The largest exponent of anything that is not zero; nothing is added where there is none
  int exponent = kNone;
  bool nan = false;
  /// −1, 0 or 1
  int infinity = 0;
  static constexpr int kNone = std::numeric_limits<int>::min();

  void add_infinity(int sign) {
    if (infinity == -sign) nan = true;
    infinity = sign;
  }
};

/// `c` has 23 bits of fraction (decode_float).
inline Scan scan(const Dot& dot, const Factor& c) {
  Scan out;
  if (!c.is_zero()) out.exponent = c.exponent;
  for (int k = 0; k < dot.count; ++k) {
    const Factor &a = dot.a[k], &b = dot.b[k];
    if (a.nan || b.nan || (a.infinite && b.is_zero()) || (b.infinite && a.is_zero()))
      out.nan = true;
    else if (a.infinite || b.infinite)
      out.add_infinity((a.significand < 0) == (b.significand < 0) ? 1 : -1);
    else if (!a.is_zero() && !b.is_zero())
      out.exponent = std::max(out.exponent, a.exponent + b.exponent);
  }
  if (c.nan) out.nan = true;
  if (c.infinite) out.add_infinity(c.significand);
  return out;
}

/// tf32 is a float without its low 13 bits.
inline std::uint32_t factor_bits(MatrixType type, std::uint32_t bits) {
  return type == MatrixType::tf32 ? bits >> 13 : bits;
}

/// Eight-bit floats are multiplied in two steps: the k with k mod 4 < 2 first.
inline int place_of(const MatrixForm& form, int k) {
  if (matrix_type_bits(form.a) != 8) return k;
  return (k % 4 < 2 ? 0 : form.shape.k / 2) + k / 4 * 2 + k % 2;
}

}  // namespace lanescope::matrix
