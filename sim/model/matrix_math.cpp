#include "model/matrix_math.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "model/half.h"
#include "model/matrix_factors.h"
#include "model/matrix_fast.h"

namespace lanescope {
namespace {

using namespace matrix;

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

/// 2^exponent, of normal numbers.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// `value` × 2^scale as float, toward zero; what nothing is left of has no sign.
float toward_zero(std::int64_t value, int scale) {
  std::int64_t magnitude = value < 0 ? -value : value;
  const int bits = std::bit_width(static_cast<std::uint64_t>(magnitude));
  // Of a float below 2^-126 fewer bits are left.
  const int dropped = std::max(bits - 24, -149 - scale);
  if (dropped > 0) magnitude = dropped > 62 ? 0 : magnitude >> dropped << dropped;
  const double exact = static_cast<double>(magnitude) * power_of_two(scale);
  const auto result = exact > static_cast<double>(std::numeric_limits<float>::max())
                          ? std::numeric_limits<float>::infinity()
                          : static_cast<float>(exact);
  return value < 0 && result != 0 ? -result : result;
}

/// A half that lies below its normal numbers is not normalised as a float is.
Factor decode_half(float c) {
  Factor out = decode_float(c);
  constexpr int kLeast = -14;
  if (out.significand != 0 && !out.infinite && !out.nan && out.exponent < kLeast) {
    out.significand /= 1 << (kLeast - out.exponent);  // exact: a half has thirteen bits less
    out.exponent = kLeast;
  }
  return out;
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
    const double exact = static_cast<double>(value) * power_of_two(scale);
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

/// Where the elements of one form's matrices lie: A by rows, B by columns, C by rows.
struct Slots {
  explicit Slots(const MatrixForm& which) : form(which) {
    const int k = form.shape.k;
    const Fragment in_a(form, MatrixRole::a), in_b(form, MatrixRole::b),
        in_c(form, MatrixRole::accumulator);
    for (int row = 0; row < in_a.rows(); ++row)
      for (int x = 0; x < k; ++x) a.push_back(in_a.slot({row, x}));
    for (int column = 0; column < in_b.columns(); ++column)
      for (int x = 0; x < k; ++x) b.push_back(in_b.slot({x, column}));
    for (int row = 0; row < in_c.rows(); ++row)
      for (int column = 0; column < in_c.columns(); ++column) c.push_back(in_c.slot({row, column}));
  }
  MatrixForm form;
  std::vector<FragmentSlot> a, b, c;
};

/// A kernel seldom has more than one form.
const Slots& slots_of(const MatrixForm& form) {
  thread_local std::optional<Slots> last;
  if (!last || last->form != form) last.emplace(form);
  return *last;
}

/// The bits of an element of at most 32 bits.
template <class Rows>
std::uint32_t bits_at(const FragmentSlot& slot, const Rows& rows, int bits) {
  std::uint32_t whole = 0;
  std::memcpy(&whole,
              rows[static_cast<std::size_t>(slot.reg)] + static_cast<std::ptrdiff_t>(slot.lane) * 4,
              4);
  return bits == 32 ? whole : whole >> (slot.part * bits) & ((1u << bits) - 1);
}

template <class Rows>
std::vector<std::uint32_t> gathered(const std::vector<FragmentSlot>& slots, const Rows& rows,
                                    MatrixType type) {
  const int bits = matrix_type_bits(type);
  std::vector<std::uint32_t> out(slots.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = bits_at(slots[i], rows, bits);
  return out;
}

void scatter(const std::vector<FragmentSlot>& slots, const MatrixRegisters& registers,
             MatrixType type, const std::vector<std::uint32_t>& elements) {
  const int bytes = matrix_type_bits(type) / 8;
  for (std::size_t i = 0; i < slots.size(); ++i)
    std::memcpy(registers.d[static_cast<std::size_t>(slots[i].reg)] +
                    static_cast<std::ptrdiff_t>(slots[i].lane) * 4 + slots[i].part * bytes,
                &elements[i], static_cast<std::size_t>(bytes));
}

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

std::uint32_t bits_of(const MatrixForm& form, const Sum& sum) {
  return form.accumulator == MatrixType::f16 ? sum.to_half()
                                             : std::bit_cast<std::uint32_t>(sum.to_float());
}

std::uint32_t float_element(const MatrixForm& form, const Dot& dot, std::uint32_t c_bits) {
  const bool narrow = form.accumulator == MatrixType::f16;
  const float c =
      narrow ? float_from_half(static_cast<std::uint16_t>(c_bits)) : std::bit_cast<float>(c_bits);
  const bool eight = matrix_type_bits(form.a) == 8;
  if (eight && form.shape.m == kGroupRows) {
    const Sum sum = sum_of(dot, narrow ? decode_half(c) : decode_float(c), kKeptOfEight);
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
  return bits_of(form, sum_of(dot, decode_float(c)));
}

/// Four products of quad pairs: an H200 has no tensor core for them, and adds in float, to nearest even.
std::uint32_t quad_element(const MatrixForm& form, const std::uint32_t* a, const std::uint32_t* b,
                           std::uint32_t c_bits) {
  const auto half = [](std::uint32_t bits) {
    return float_from_half(static_cast<std::uint16_t>(bits));
  };
  const auto added = [&](int x, float sum) { return std::fma(half(a[x]), half(b[x]), sum); };
  if (form.accumulator == MatrixType::f16) {
    const float sum =
        half(c_bits) + added(1, half(a[0]) * half(b[0])) + added(3, half(a[2]) * half(b[2]));
    return std::isnan(sum) ? 0x7FFF : half_from_float(sum);
  }
  const float sum = std::bit_cast<float>(c_bits) + added(3, added(2, added(1, added(0, 0.0f))));
  return std::isnan(sum) ? kNanBits : std::bit_cast<std::uint32_t>(sum);
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

/// Rows of A and columns of B begin k elements apart.
std::uint32_t integer_element(const MatrixForm& form, const std::uint32_t* a,
                              const std::uint32_t* b, std::uint32_t c) {
  std::int64_t sum = static_cast<std::int32_t>(c);
  for (int x = 0; x < form.shape.k; ++x)
    if (form.a == MatrixType::b1)
      sum += form.is_and ? a[x] & b[x] : a[x] ^ b[x];
    else
      sum += integer_of(form.a, a[x]) * integer_of(form.b, b[x]);
  return integer_result(form, sum);
}

template <class Rows>
double double_at(const FragmentSlot& slot, const Rows& rows) {
  double value = 0;
  std::memcpy(&value,
              rows[static_cast<std::size_t>(slot.reg)] + static_cast<std::ptrdiff_t>(slot.lane) * 8,
              8);
  return value;
}

void multiply_doubles(const MatrixForm& form, const MatrixRegisters& registers) {
  const Slots& slots = slots_of(form);
  const auto k = static_cast<std::size_t>(form.shape.k), n = static_cast<std::size_t>(form.shape.n);
  for (std::size_t i = 0; i < slots.c.size(); ++i) {
    const FragmentSlot& slot = slots.c[i];
    double sum = double_at(slot, registers.c);
    for (std::size_t x = 0; x < k; ++x)
      sum = std::fma(double_at(slots.a[i / n * k + x], registers.a),
                     double_at(slots.b[i % n * k + x], registers.b), sum);
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
  if (form.accumulator == MatrixType::f64) return multiply_doubles(form, registers);
  const Slots& slots = slots_of(form);
  const std::vector<std::uint32_t> a = gathered(slots.a, registers.a, form.a),
                                   b = gathered(slots.b, registers.b, form.b);
  std::vector<std::uint32_t> d = gathered(slots.c, registers.c, form.accumulator);
  const auto [m, n, k] = form.shape;
  for (int product = 0; product < (form.of_quads() ? kQuadPairs : 1); ++product) {
    std::uint32_t* sums = d.data() + product * m * n;
    multiply(form, {m, n, a.data() + product * m * k, b.data() + product * n * k, sums, sums});
  }
  scatter(slots.c, registers, form.accumulator, d);
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
      return integer_element(form, of.a + row, of.b + column, c);
    });
  if (form.of_quads())
    return each([&](std::size_t row, std::size_t column, std::uint32_t c) {
      return quad_element(form, of.a + row, of.b + column, c);
    });
  if (ExactSums sums; has_exact_sums(form, of) && exact_sums(form, of, sums)) {
    for (std::size_t i = 0; i < sums.value.size(); ++i)
      of.d[i] = bits_of(form, {.value = sums.value[i], .scale = sums.scale[i]});
    return;
  }
  const auto index = [k](int line, int x) { return static_cast<std::size_t>(line * k + x); };
  const Factors factors = factors_of(
      form, of.rows, of.columns, [&](int row, int x) { return of.a[index(row, x)]; },
      [&](int x, int column) { return of.b[index(column, x)]; });
  each([&](std::size_t row, std::size_t column, std::uint32_t c) {
    return float_element(form, {&factors.a[row], &factors.b[column], k}, c);
  });
}

float plain_sum(const MatrixForm& form, const MatrixRegisters& registers, MatrixElement element) {
  const Slots& slots = slots_of(form);
  const auto k = static_cast<std::size_t>(form.shape.k),
             row = static_cast<std::size_t>(element.row),
             column = static_cast<std::size_t>(element.column),
             of_b = static_cast<std::size_t>(column_of_b(form, element));
  const int bits = matrix_type_bits(form.accumulator);
  const std::uint32_t c =
      bits_at(slots.c[row * static_cast<std::size_t>(form.shape.n) + column], registers.c, bits);
  float sum = bits == 16 ? float_from_half(static_cast<std::uint16_t>(c)) : std::bit_cast<float>(c);
  for (std::size_t x = 0; x < k; ++x)
    sum +=
        plain_value(form.a, bits_at(slots.a[row * k + x], registers.a, matrix_type_bits(form.a))) *
        plain_value(form.b, bits_at(slots.b[of_b * k + x], registers.b, matrix_type_bits(form.b)));
  return bits == 16 ? float_from_half(half_from_float(sum)) : sum;
}

}  // namespace lanescope
