#include "model/matrix_math.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "model/half.h"
#include "model/matrix_factors.h"

namespace lanescope {
namespace {

using namespace matrix;

constexpr int kMaxK = 256;
constexpr std::uint32_t kNanBits = 0x7FFFFFFFu;
/// Of wgmma, of whose e4m3 and e5m2 less is kept: below the largest exponent, and of a float's fraction.
constexpr int kGroupRows = 64, kKeptOfEight = 13, kDroppedOfEight = 23 - 13;

/// `magnitude` × 2^shift, cut toward zero.
std::int64_t shifted(std::int64_t value, int shift) {
  const std::int64_t magnitude = value < 0 ? -value : value;
  const std::int64_t moved = shift >= 0    ? magnitude << shift
                             : shift < -62 ? 0
                                           : magnitude >> -shift;
  return value < 0 ? -moved : moved;
}

/// `value` × 2^scale as float, toward zero.
float toward_zero(std::int64_t value, int scale) {
  std::int64_t magnitude = value < 0 ? -value : value;
  const int bits = std::bit_width(static_cast<std::uint64_t>(magnitude));
  // Of a float below 2^-126 fewer bits are left.
  const int dropped = std::max(bits - 24, -149 - scale);
  if (dropped > 0) magnitude = dropped > 62 ? 0 : magnitude >> dropped << dropped;
  const double exact = std::ldexp(static_cast<double>(magnitude), scale);
  const auto result = exact > static_cast<double>(std::numeric_limits<float>::max())
                          ? std::numeric_limits<float>::infinity()
                          : static_cast<float>(exact);
  return value < 0 ? -result : result;
}

/// The exact sum that the rule makes: `value` × 2^scale, or what is no number.
struct Sum {
  std::int64_t value = 0;
  int scale = 0;
  bool nan = false;
  /// −1, 0 or 1
  int infinity = 0;

  [[nodiscard]] float to_float() const {
    if (nan) return std::bit_cast<float>(kNanBits);
    if (infinity != 0) return static_cast<float>(infinity) * std::numeric_limits<float>::infinity();
    return toward_zero(value, scale);
  }
  [[nodiscard]] std::uint16_t to_half() const {
    if (nan) return 0x7FFF;
    if (infinity != 0) return infinity < 0 ? 0xFC00 : 0x7C00;
    // Up to 33 bits are exact in double; odd rounding to float keeps what nearest even needs.
    const float cut = toward_zero(value, scale);
    const double exact = std::ldexp(static_cast<double>(value), scale);
    auto bits = std::bit_cast<std::uint32_t>(cut);
    if (static_cast<double>(cut) != exact) bits |= 1;
    return half_from_float(std::bit_cast<float>(bits));
  }
};

/// `c` has 23 bits of fraction (decode_float).
Sum sum_of(const Dot& dot, const Factor& c, int kept = kKept) {
  const Scan seen = scan(dot, c);
  Sum sum{.nan = seen.nan, .infinity = seen.infinity};
  if (sum.nan || sum.infinity != 0 || seen.exponent == Scan::kNone) return sum;
  sum.scale = seen.exponent - kept;
  for (int k = 0; k < dot.count; ++k) {
    const Factor &a = dot.a[k], &b = dot.b[k];
    const std::int64_t product = std::int64_t{a.significand} * b.significand;
    if (product != 0)
      sum.value += shifted(product, a.exponent + b.exponent - 2 * Factor::kFraction - sum.scale);
  }
  if (c.significand != 0) sum.value += shifted(c.significand, c.exponent - 23 - sum.scale);
  return sum;
}

std::uint32_t word(const std::byte* row, int lane) {
  std::uint32_t value = 0;
  std::memcpy(&value, row + static_cast<std::ptrdiff_t>(lane) * 4, 4);
  return value;
}

/// The bits of an element of at most 32 bits.
template <class Rows>
std::uint32_t bits_at(const Fragment& fragment, const Rows& rows, int bits, MatrixElement element) {
  const FragmentSlot slot = fragment.slot(element);
  const std::uint32_t whole = word(rows[static_cast<std::size_t>(slot.reg)], slot.lane);
  return bits == 32 ? whole : whole >> (slot.part * bits) & ((1u << bits) - 1);
}

void put(const Fragment& fragment, const MatrixRegisters& registers, int bits,
         MatrixElement element, std::uint32_t value) {
  const FragmentSlot slot = fragment.slot(element);
  std::byte* at = registers.d[static_cast<std::size_t>(slot.reg)] +
                  static_cast<std::ptrdiff_t>(slot.lane) * 4 +
                  static_cast<std::ptrdiff_t>(slot.part) * bits / 8;
  std::memcpy(at, &value, static_cast<std::size_t>(bits / 8));
}

/// Everything of one instruction that is looked up for each element.
struct Operands {
  explicit Operands(const MatrixForm& which)
      : form(which), a(which, MatrixRole::a), b(which, MatrixRole::b),
        c(which, MatrixRole::accumulator) {}
  const MatrixForm& form;
  Fragment a, b, c;
};

/// All factors: A by rows, B by columns, so that k runs fastest in both.
struct Factors {
  std::vector<Factor> a, b;
};

/// `a_bits(row, x)`, `b_bits(x, column)`: an element's.
template <class ABits, class BBits>
Factors factors_of(const MatrixForm& form, int m, int n, ABits a_bits, BBits b_bits) {
  const int k = form.shape.k;
  const Format a_format = format_of(form.a), b_format = format_of(form.b);
  Factors out;
  out.a.resize(static_cast<std::size_t>(m * k)), out.b.resize(static_cast<std::size_t>(n * k));
  for (int x = 0; x < k; ++x) {
    const int place = place_of(form, x);
    for (int row = 0; row < m; ++row)
      out.a[static_cast<std::size_t>(row * k + place)] =
          decode(a_format, factor_bits(form.a, a_bits(row, x)));
    for (int column = 0; column < n; ++column)
      out.b[static_cast<std::size_t>(column * k + place)] =
          decode(b_format, factor_bits(form.b, b_bits(x, column)));
  }
  return out;
}

std::uint32_t float_element(const MatrixForm& form, const Dot& dot, std::uint32_t c_bits) {
  const bool narrow = form.accumulator == MatrixType::f16;
  const float c =
      narrow ? float_from_half(static_cast<std::uint16_t>(c_bits)) : std::bit_cast<float>(c_bits);
  const bool eight = matrix_type_bits(form.a) == 8;
  if (eight && form.shape.m == kGroupRows) {
    const Sum sum = sum_of(dot, decode_float(c), kKeptOfEight);
    if (narrow) return sum.to_half();
    const float whole = sum.to_float();
    const auto bits = std::bit_cast<std::uint32_t>(whole);
    return std::isfinite(whole) ? bits >> kDroppedOfEight << kDroppedOfEight : bits;
  }
  if (eight) {
    const int half = dot.count / 2;
    const auto rounded = [&](const Sum& sum) {
      return narrow ? float_from_half(sum.to_half()) : sum.to_float();
    };
    const float first = rounded(sum_of({dot.a, dot.b, half}, {}));
    const float both = rounded(sum_of({dot.a + half, dot.b + half, half}, decode_float(first)));
    const float sum = both + c;
    if (std::isnan(sum)) return narrow ? 0x7FFF : kNanBits;
    return narrow ? half_from_float(sum) : std::bit_cast<std::uint32_t>(sum);
  }
  const Sum sum = sum_of(dot, decode_float(c));
  return narrow ? sum.to_half() : std::bit_cast<std::uint32_t>(sum.to_float());
}

void multiply_floats(const Operands& operands, const MatrixRegisters& registers) {
  const MatrixForm& form = operands.form;
  const auto [m, n, k] = form.shape;
  const Factors factors = factors_of(
      form, m, n,
      [&](int row, int x) {
        return bits_at(operands.a, registers.a, matrix_type_bits(form.a), {row, x});
      },
      [&](int x, int column) {
        return bits_at(operands.b, registers.b, matrix_type_bits(form.b), {x, column});
      });
  const int bits = matrix_type_bits(form.accumulator);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      const Dot dot{&factors.a[static_cast<std::size_t>(row * k)],
                    &factors.b[static_cast<std::size_t>(column * k)], k};
      put(operands.c, registers, bits, {row, column},
          float_element(form, dot, bits_at(operands.c, registers.c, bits, {row, column})));
    }
}

/// An element of 8 or 4 bits as the number it is.
std::int64_t integer_of(MatrixType type, std::uint32_t bits) {
  const int width = matrix_type_bits(type);
  const bool is_signed = type == MatrixType::s8 || type == MatrixType::s4;
  return is_signed && bits >> (width - 1) & 1 ? std::int64_t{bits} - (1 << width) : bits;
}

/// Modulo 2^32, or clamped.
std::uint32_t integer_result(const MatrixForm& form, std::int64_t sum) {
  if (form.saturates)
    sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                   std::numeric_limits<std::int32_t>::max());
  return static_cast<std::uint32_t>(sum);
}

void multiply_integers(const Operands& operands, const MatrixRegisters& registers) {
  const MatrixForm& form = operands.form;
  const auto [m, n, k] = form.shape;
  const int a_bits = matrix_type_bits(form.a), b_bits = matrix_type_bits(form.b);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      const auto c = static_cast<std::int32_t>(bits_at(operands.c, registers.c, 32, {row, column}));
      std::int64_t sum = c;
      for (int x = 0; x < k; ++x) {
        const std::uint32_t a = bits_at(operands.a, registers.a, a_bits, {row, x}),
                            b = bits_at(operands.b, registers.b, b_bits, {x, column});
        if (form.a == MatrixType::b1)
          sum += form.is_and ? a & b : a ^ b;
        else
          sum += integer_of(form.a, a) * integer_of(form.b, b);
      }
      put(operands.c, registers, 32, {row, column}, integer_result(form, sum));
    }
}

template <class Rows>
double double_at(const Fragment& fragment, const Rows& rows, MatrixElement element) {
  const FragmentSlot slot = fragment.slot(element);
  double value = 0;
  std::memcpy(&value,
              rows[static_cast<std::size_t>(slot.reg)] + static_cast<std::ptrdiff_t>(slot.lane) * 8,
              8);
  return value;
}

void multiply_doubles(const Operands& operands, const MatrixRegisters& registers) {
  const auto [m, n, k] = operands.form.shape;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = double_at(operands.c, registers.c, {row, column});
      for (int x = 0; x < k; ++x)
        sum = std::fma(double_at(operands.a, registers.a, {row, x}),
                       double_at(operands.b, registers.b, {x, column}), sum);
      const FragmentSlot slot = operands.c.slot({row, column});
      std::memcpy(registers.d[static_cast<std::size_t>(slot.reg)] +
                      static_cast<std::ptrdiff_t>(slot.lane) * 8,
                  &sum, 8);
    }
}

float plain_value(MatrixType type, std::uint32_t bits) {
  const Factor factor = decode(format_of(type), factor_bits(type, bits));
  if (factor.nan) return std::numeric_limits<float>::quiet_NaN();
  const float value = factor.infinite ? std::numeric_limits<float>::infinity()
                                      : std::ldexp(1.0f, factor.exponent - Factor::kFraction);
  return static_cast<float>(factor.significand) * value;
}

}  // namespace

void multiply(const MatrixForm& form, const MatrixRegisters& registers) {
  const Operands operands(form);
  if (form.accumulator == MatrixType::f64) return multiply_doubles(operands, registers);
  if (form.accumulator == MatrixType::s32) return multiply_integers(operands, registers);
  multiply_floats(operands, registers);
}

void multiply(const MatrixForm& form, const MatrixElements& of) {
  const int k = form.shape.k;
  const auto each = [&](auto element) {
    for (int row = 0; row < of.rows; ++row)
      for (int column = 0; column < of.columns; ++column) {
        const auto at = static_cast<std::size_t>(row * of.columns + column);
        of.d[at] = element(static_cast<std::size_t>(row * k), static_cast<std::size_t>(column * k),
                           of.c[at]);
      }
  };
  if (form.accumulator == MatrixType::s32)
    return each([&](std::size_t row, std::size_t column, std::uint32_t c) {
      std::int64_t sum = static_cast<std::int32_t>(c);
      for (std::size_t x = 0; x < static_cast<std::size_t>(k); ++x)
        sum += integer_of(form.a, of.a[row + x]) * integer_of(form.b, of.b[column + x]);
      return integer_result(form, sum);
    });
  const auto index = [k](int line, int x) { return static_cast<std::size_t>(line * k + x); };
  const Factors factors = factors_of(
      form, of.rows, of.columns, [&](int row, int x) { return of.a[index(row, x)]; },
      [&](int x, int column) { return of.b[index(column, x)]; });
  each([&](std::size_t row, std::size_t column, std::uint32_t c) {
    return float_element(form, {&factors.a[row], &factors.b[column], k}, c);
  });
}

float plain_sum(const MatrixForm& form, const MatrixRegisters& registers, MatrixElement element) {
  const Operands operands(form);
  const int bits = matrix_type_bits(form.accumulator);
  const std::uint32_t c = bits_at(operands.c, registers.c, bits, element);
  float sum = bits == 16 ? float_from_half(static_cast<std::uint16_t>(c)) : std::bit_cast<float>(c);
  for (int k = 0; k < form.shape.k; ++k)
    sum += plain_value(form.a, bits_at(operands.a, registers.a, matrix_type_bits(form.a),
                                       {element.row, k})) *
           plain_value(form.b, bits_at(operands.b, registers.b, matrix_type_bits(form.b),
                                       {k, element.column}));
  return bits == 16 ? float_from_half(half_from_float(sum)) : sum;
}

}  // namespace lanescope
