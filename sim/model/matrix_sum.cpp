#include "lanescope/matrix_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "model/half.h"
#include "model/matrix_factors.h"
#include "model/matrix_math.h"

namespace lanescope {
namespace {

using matrix::Factor;

// Of those that are cut; f64 is not.
bool is_float(MatrixType type) { return type <= MatrixType::f32; }

std::uint64_t low_bits(std::uint64_t bits, int width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

bool is_signed(MatrixType type) {
  return type == MatrixType::s8 || type == MatrixType::s4 || type == MatrixType::s32;
}

double value_of(const Factor& factor) {
  if (factor.nan) return std::numeric_limits<double>::quiet_NaN();
  const double sign = factor.significand < 0 ? -1 : 1;
  if (factor.infinite) return sign * std::numeric_limits<double>::infinity();
  return std::ldexp(factor.significand, factor.exponent - Factor::kFraction);
}

Factor factor_of(MatrixType type, std::uint64_t bits) {
  const auto narrow = static_cast<std::uint32_t>(bits);
  return matrix::decode(matrix::format_of(type), matrix::factor_bits(type, narrow));
}

/// Rows of registers as `multiply` takes them: 4 bytes a lane, 8 for f64.
class Packed {
 public:
  Packed(const std::vector<LaneRow>& rows, std::size_t bytes) : bytes_(bytes) {
    for (std::size_t r = 0; r < rows.size() && r < held_.size(); ++r)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        std::memcpy(held_[r].data() + lane * bytes, &rows[r][lane], bytes);
  }
  template <class Pointers>
  void point(Pointers& pointers) {
    for (std::size_t r = 0; r < held_.size(); ++r) pointers[r] = held_[r].data();
  }
  [[nodiscard]] LaneRow row(std::size_t r) const {
    LaneRow out{};
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      std::memcpy(&out[lane], held_[r].data() + lane * bytes_, bytes_);
    return out;
  }

 private:
  std::size_t bytes_;
  std::array<std::array<std::byte, kLanes * 8>, 8> held_{};
};

/// An instruction's operands in the form that matrix_math wants, kept while it works on them.
struct Held {
  Packed a, b, c, d;
  MatrixRegisters registers;

  Held(const MatrixForm& form, const MatrixOperands& operands)
      : a(operands.a, bytes_of(form.a)), b(operands.b, bytes_of(form.b)),
        c(operands.c, bytes_of(form.accumulator)), d({}, bytes_of(form.accumulator)) {
    a.point(registers.a), b.point(registers.b), c.point(registers.c), d.point(registers.d);
  }
  static std::size_t bytes_of(MatrixType type) { return type == MatrixType::f64 ? 8 : 4; }
  [[nodiscard]] std::vector<LaneRow> result(const Fragment& fragment) const {
    std::vector<LaneRow> rows;
    for (int r = 0; r < fragment.registers(); ++r)
      rows.push_back(d.row(static_cast<std::size_t>(r)));
    return rows;
  }
};

/// What `value` leaves when it is cut toward zero to a multiple of 2^scale.
double cut_to(double value, int scale) {
  return std::ldexp(std::trunc(std::ldexp(value, -scale)), scale);
}

/// A sum that is exact in double, as an accumulator takes it: toward zero to float, to nearest even to
/// half.
double rounded(MatrixType accumulator, double exact) {
  auto cut = static_cast<float>(exact);
  if (std::abs(static_cast<double>(cut)) > std::abs(exact)) cut = std::nextafter(cut, 0.0f);
  if (accumulator != MatrixType::f16) return cut;
  auto bits = std::bit_cast<std::uint32_t>(cut);
  if (static_cast<double>(cut) != exact) bits |= 1;  // odd: what nearest even needs
  return float_from_half(half_from_float(std::bit_cast<float>(bits)));
}

/// The products of one element with their factors, in the order of k.
struct Products {
  std::vector<MatrixTerm> terms;
  std::vector<Factor> a, b;
};

Products products_of(const MatrixForm& form, const MatrixOperands& operands,
                     MatrixElement element) {
  const Fragment of_a(form, MatrixRole::a), of_b(form, MatrixRole::b);
  Products out;
  for (int k = 0; k < form.shape.k; ++k) {
    const std::uint64_t a = element_bits(of_a, operands.a, {element.row, k});
    const std::uint64_t b = element_bits(of_b, operands.b, {k, column_of_b(form, element)});
    MatrixTerm term{.k = k, .a = element_value(form.a, a), .b = element_value(form.b, b)};
    const bool differ = form.a == MatrixType::b1 && !form.is_and;
    term.exact = differ ? static_cast<double>(a != b) : term.a * term.b;
    term.kept = term.exact;
    out.terms.push_back(term);
    out.a.push_back(is_float(form.a) ? factor_of(form.a, a) : Factor{});
    out.b.push_back(is_float(form.b) ? factor_of(form.b, b) : Factor{});
  }
  return out;
}

/// One step of the rule: cuts the terms from `first` on, and c where it takes part.
void cut_step(MatrixSum& sum, const Products& products, std::size_t first, std::size_t count,
              const std::vector<std::size_t>& order, MatrixTerm* c) {
  std::vector<Factor> a, b;
  for (std::size_t i = first; i < first + count; ++i)
    a.push_back(products.a[order[i]]), b.push_back(products.b[order[i]]);
  const Factor start = c ? matrix::decode_float(static_cast<float>(c->exact)) : Factor{};
  const matrix::Scan seen = matrix::scan({a.data(), b.data(), static_cast<int>(count)}, start);
  std::optional<int>& exponent = sum.exponents.emplace_back();
  if (seen.nan || seen.infinity != 0 || seen.exponent == matrix::Scan::kNone) return;
  exponent = seen.exponent;
  const int scale = seen.exponent - matrix::kKept;
  for (std::size_t i = first; i < first + count; ++i)
    sum.terms[i].kept = cut_to(sum.terms[i].exact, scale);
  if (c) c->kept = cut_to(c->exact, scale);
}

void cut_floats(const MatrixForm& form, MatrixSum& sum, const Products& products, MatrixTerm c) {
  const std::size_t count = products.terms.size();
  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < count; ++k)
    order[static_cast<std::size_t>(matrix::place_of(form, static_cast<int>(k)))] = k;
  for (const std::size_t k : order) sum.terms.push_back(products.terms[k]);
  if (matrix_type_bits(form.a) != 8) {
    cut_step(sum, products, 0, count, order, &c);
    sum.terms.insert(sum.terms.begin(), c);
    return;
  }
  const std::size_t half = count / 2;
  cut_step(sum, products, 0, half, order, nullptr);
  // What the first step made takes part in the second, as c does elsewhere.
  double first = 0;
  for (std::size_t i = 0; i < half; ++i) first += sum.terms[i].kept;
  first = rounded(form.accumulator, first);
  MatrixTerm carried{
      .k = MatrixTerm::kCarried, .a = first, .b = first, .exact = first, .kept = first};
  cut_step(sum, products, half, half, order, &carried);
  carried.step = 1;
  for (std::size_t i = half; i < count; ++i) sum.terms[i].step = 1;
  sum.terms.insert(sum.terms.begin() + static_cast<std::ptrdiff_t>(half), carried);
  c.step = 2;
  sum.exponents.emplace_back();
  sum.terms.push_back(c);
}

}  // namespace

std::vector<MatrixForm> known_forms() {
  std::vector<MatrixForm> out;
  constexpr int kLast = static_cast<int>(MatrixType::s32);
  for (int a = 0; a <= kLast; ++a)
    for (const int m : {16, 8})
      for (int k = 256; k >= 4; k /= 2)
        for (int c = kLast; c >= 0; --c) {
          const auto type = static_cast<MatrixType>(a);
          const MatrixForm form{{m, 8, k}, type, type, static_cast<MatrixType>(c)};
          if (!is_known(form)) continue;
          out.push_back(form);
          for (const auto& [a_by_columns, b_by_rows] :
               {std::pair{false, true}, {true, false}, {true, true}}) {
            if (!form.of_quads()) break;
            out.push_back(form);
            out.back().a_by_columns = a_by_columns, out.back().b_by_rows = b_by_rows;
          }
        }
  return out;
}

LaneRow form_row(const MatrixForm& form) {
  const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
  return {number(form.shape.m), number(form.shape.n), number(form.shape.k),
          number(form.a),       number(form.b),       number(form.accumulator),
          form.is_and,          form.saturates,       form.a_by_columns,
          form.b_by_rows};
}

MatrixForm form_of(const LaneRow& row) {
  const auto type = [&](std::size_t lane) { return static_cast<MatrixType>(row[lane]); };
  return {{static_cast<int>(row[0]), static_cast<int>(row[1]), static_cast<int>(row[2])},
          type(3),
          type(4),
          type(5),
          row[6] != 0,
          row[7] != 0,
          row[8] != 0,
          row[9] != 0};
}

std::uint64_t element_bits(const Fragment& fragment, const std::vector<LaneRow>& rows,
                           MatrixElement element) {
  const FragmentSlot slot = fragment.slot(element);
  const std::uint64_t whole =
      rows[static_cast<std::size_t>(slot.reg)][static_cast<std::size_t>(slot.lane)];
  const int width = 32 / fragment.parts();
  return fragment.parts() == 1 ? whole : low_bits(whole >> (slot.part * width), width);
}

double element_value(MatrixType type, std::uint64_t bits) {
  const int width = matrix_type_bits(type);
  bits = low_bits(bits, width);
  switch (type) {
  case MatrixType::f64:
    return std::bit_cast<double>(bits);
  case MatrixType::f32:
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  default:
    break;
  }
  if (is_float(type)) return value_of(factor_of(type, bits));
  const bool negative = is_signed(type) && (bits >> (width - 1) & 1) != 0;
  return static_cast<double>(static_cast<std::int64_t>(bits)) -
         (negative ? std::ldexp(1.0, width) : 0.0);
}

std::uint64_t element_from_value(MatrixType type, double value) {
  const auto narrow = static_cast<float>(value);
  const auto wide = std::bit_cast<std::uint32_t>(narrow);
  switch (type) {
  case MatrixType::f64:
    return std::bit_cast<std::uint64_t>(value);
  case MatrixType::f32:
  case MatrixType::tf32:
    return wide;
  case MatrixType::f16:
    return half_from_float(narrow);
  case MatrixType::bf16:
    return (wide + 0x7FFFu + (wide >> 16 & 1)) >> 16;
  case MatrixType::e5m2:
    return half_from_float(narrow) >> 8;
  case MatrixType::e4m3: {
    // The half of value × 2^-8 has the exponent where e4m3 has it.
    const unsigned half = half_from_float(std::ldexp(narrow, -8));
    return (half >> 8 & 0x80u) | (half >> 7 & 0x7Fu);
  }
  default:
    return low_bits(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)),
                    matrix_type_bits(type));
  }
}

std::vector<LaneRow> multiply(const MatrixForm& form, const MatrixOperands& operands) {
  Held held(form, operands);
  multiply(form, held.registers);
  return held.result(Fragment(form, MatrixRole::accumulator));
}

MatrixSum matrix_sum(const MatrixForm& form, const MatrixOperands& operands,
                     MatrixElement element) {
  MatrixSum sum;
  const Fragment accumulator(form, MatrixRole::accumulator);
  const Products products = products_of(form, operands, element);
  const double c = element_value(form.accumulator, element_bits(accumulator, operands.c, element));
  const MatrixTerm start{.a = c, .b = c, .exact = c, .kept = c};
  const bool floats = is_float(form.a);
  if (form.of_quads()) {
    // Nothing is cut; of floats c is added last.
    sum.terms = products.terms;
    const bool c_first = form.accumulator == MatrixType::f16;
    sum.terms.insert(c_first ? sum.terms.begin() : sum.terms.end(), start);
    sum.exponents.emplace_back();
  } else if (floats) {
    cut_floats(form, sum, products, start);
  } else {
    sum.terms = products.terms;
    sum.terms.insert(sum.terms.begin(), start);
    sum.exponents.emplace_back();
  }
  Held held(form, operands);
  multiply(form, held.registers);
  sum.bits = element_bits(accumulator, held.result(accumulator), element);
  sum.result = element_value(form.accumulator, sum.bits);
  sum.plain = floats ? plain_sum(form, held.registers, element) : sum.result;
  return sum;
}

}  // namespace lanescope
