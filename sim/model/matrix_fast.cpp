#include "model/matrix_fast.h"

#include <algorithm>

#include "model/half.h"
#include "model/matrix_factors.h"

namespace lanescope {
namespace {

using namespace matrix;

constexpr int kColumns = 8, kDeepest = 16;
/// In place of a zero's exponent: below all others, also if added to one
constexpr std::int32_t kNothing = -4096;
/// A product of two significands has 2 * kFraction bits below its point, a sum kKept.
constexpr int kProductShift = kKept - 2 * Factor::kFraction;
constexpr int kFloatFraction = 23, kFloatShift = kKept - kFloatFraction;
static_assert(kDeepest * (std::int64_t{1} << (2 * Factor::kFraction + 2 + kProductShift)) <=
              std::int64_t{1} << 31);

/// As matrix::decode, without a branch. Returns whether one of them is infinite or no number.
[[gnu::always_inline]] inline bool decode_all(Format format, int significand_shift,
                                              const std::uint32_t* bits, int count,
                                              std::int32_t* significand, std::int32_t* exponent) {
  const auto top = (1 << format.exponent_bits) - 1, bias = top >> 1;
  const auto fraction_mask = (1 << format.fraction_bits) - 1;
  std::int32_t special = 0;
  for (int i = 0; i < count; ++i) {
    const auto word = static_cast<std::int32_t>(bits[i]);
    const std::int32_t biased = word >> format.fraction_bits & top, fraction = word & fraction_mask;
    const std::int32_t sign = -(word >> (format.fraction_bits + format.exponent_bits) & 1);
    const std::int32_t whole = (biased == 0 ? fraction : fraction | 1 << format.fraction_bits)
                               << significand_shift;
    special |= biased == top;
    significand[i] = (whole ^ sign) - sign;
    exponent[i] = whole == 0 ? kNothing : std::max(biased, 1) - bias;
  }
  return special != 0;
}

/// `value` × 2^(up − places), cut toward zero.
[[gnu::always_inline]] inline std::int32_t cut(std::int32_t value, int up, std::int32_t places) {
  const std::int32_t sign = value >> 31;
  const auto magnitude = static_cast<std::uint32_t>((value ^ sign) - sign) << up;
  const auto left = static_cast<std::int32_t>(magnitude >> std::min(places, 31));
  return (left ^ sign) - sign;
}

/// Significands and exponents, apart.
struct Numbers {
  std::vector<std::int32_t> significand, exponent;
  explicit Numbers(std::size_t count) : significand(count), exponent(count) {}
};

/// One row of A, eight columns of B: by k, then by column.
struct Strip {
  const std::int32_t *a_significand, *a_exponent, *b_significand, *b_exponent;
  const std::int32_t *c_significand, *c_exponent;
  int k;
};

[[gnu::always_inline]] inline void sum_strip(const Strip& of, std::int64_t* value, int* scale) {
  std::int32_t top[kColumns], sum[kColumns] = {};
  for (int j = 0; j < kColumns; ++j) top[j] = of.c_exponent[j];
  for (int x = 0; x < of.k; ++x)
    for (int j = 0; j < kColumns; ++j)
      top[j] = std::max(top[j], of.a_exponent[x] + of.b_exponent[x * kColumns + j]);
  for (int x = 0; x < of.k; ++x)
    for (int j = 0; j < kColumns; ++j) {
      const int at = x * kColumns + j;
      sum[j] += cut(of.a_significand[x] * of.b_significand[at], kProductShift,
                    top[j] - of.a_exponent[x] - of.b_exponent[at]);
    }
  for (int j = 0; j < kColumns; ++j) {
    value[j] =
        std::int64_t{sum[j]} + cut(of.c_significand[j], kFloatShift, top[j] - of.c_exponent[j]);
    scale[j] = value[j] == 0 ? 0 : top[j] - kKept;
  }
}

[[gnu::always_inline]] inline bool sum_all(const MatrixForm& form, const MatrixElements& of,
                                           ExactSums& out) {
  const int k = form.shape.k, rows = of.rows, columns = of.columns;
  const Format format = format_of(form.a);
  const int shift = Factor::kFraction - format.fraction_bits;
  const auto sized = [](int count) { return static_cast<std::size_t>(count); };
  Numbers a(sized(rows * k)), b(sized(columns * k)), c(sized(rows * columns));
  std::vector<std::uint32_t> bits(sized(std::max({rows * k, columns * k, rows * columns})));

  for (int i = 0; i < rows * k; ++i) bits[sized(i)] = factor_bits(form.a, of.a[i]);
  bool special =
      decode_all(format, shift, bits.data(), rows * k, a.significand.data(), a.exponent.data());
  for (int column = 0; column < columns; ++column)
    for (int x = 0; x < k; ++x)
      bits[sized(column / kColumns * kColumns * k + x * kColumns + column % kColumns)] =
          factor_bits(form.b, of.b[column * k + x]);
  special |=
      decode_all(format, shift, bits.data(), columns * k, b.significand.data(), b.exponent.data());
  const std::uint32_t* floats = of.c;
  if (form.accumulator == MatrixType::f16) {
    for (int i = 0; i < rows * columns; ++i)
      bits[sized(i)] =
          std::bit_cast<std::uint32_t>(float_from_half(static_cast<std::uint16_t>(of.c[i])));
    floats = bits.data();
  }
  special |= decode_all({8, kFloatFraction}, 0, floats, rows * columns, c.significand.data(),
                        c.exponent.data());
  if (special) return false;

  out.value.resize(sized(rows * columns)), out.scale.resize(sized(rows * columns));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; column += kColumns) {
      const int at = row * columns + column;
      sum_strip({a.significand.data() + row * k, a.exponent.data() + row * k,
                 b.significand.data() + column * k, b.exponent.data() + column * k,
                 c.significand.data() + at, c.exponent.data() + at, k},
                out.value.data() + at, out.scale.data() + at);
    }
  return true;
}

#if defined(__x86_64__)
/// Each lane of a vector is shifted by a number of its own only from here on.
[[gnu::target("avx2")]] bool sum_all_avx2(const MatrixForm& form, const MatrixElements& of,
                                          ExactSums& out) {
  return sum_all(form, of, out);
}
#endif

}  // namespace

bool has_exact_sums(const MatrixForm& form, const MatrixElements& of) {
  const bool is_float = form.accumulator == MatrixType::f32 || form.accumulator == MatrixType::f16;
  return is_float && matrix_type_bits(form.a) > 8 && form.shape.k <= kDeepest &&
         of.columns % kColumns == 0;
}

bool exact_sums(const MatrixForm& form, const MatrixElements& of, ExactSums& out) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return sum_all_avx2(form, of, out);
#endif
  return sum_all(form, of, out);
}

}  // namespace lanescope
