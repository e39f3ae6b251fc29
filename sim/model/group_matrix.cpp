#include "lanescope/group_matrix.h"

#include "lanescope/matrix_sum.h"
#include "model/matrix_math.h"

namespace lanescope {
namespace {

std::uint32_t field(std::uint64_t descriptor, int bit) {
  return static_cast<std::uint32_t>(descriptor >> bit & 0x3fff) << 4;
}

/// Of a fragment: lines of elements that lie one after the other, k fastest but for accumulators.
struct Lines {
  Fragment fragment;
  bool upright;
  Lines(const MatrixForm& of_warp, MatrixRole role)
      : fragment(of_warp, role), upright(role == MatrixRole::b) {}
  [[nodiscard]] int count() const { return upright ? fragment.columns() : fragment.rows(); }
  [[nodiscard]] int length() const { return upright ? fragment.rows() : fragment.columns(); }
  [[nodiscard]] MatrixElement at(int line, int along) const {
    return upright ? MatrixElement{along, line} : MatrixElement{line, along};
  }
};

std::vector<std::uint32_t> elements_of(const Lines& of, const std::vector<LaneRow>& rows) {
  std::vector<std::uint32_t> out;
  for (int line = 0; line < of.count(); ++line)
    for (int along = 0; along < of.length(); ++along)
      out.push_back(
          static_cast<std::uint32_t>(element_bits(of.fragment, rows, of.at(line, along))));
  return out;
}

/// Appends the fragment's registers; a line begins `pitch` elements after the one before.
void add_registers(const Lines& of, int bits, const std::uint32_t* elements, int pitch,
                   std::vector<LaneRow>& out) {
  const std::size_t first = out.size();
  out.resize(first + static_cast<std::size_t>(of.fragment.registers()), LaneRow{});
  for (int line = 0; line < of.count(); ++line)
    for (int along = 0; along < of.length(); ++along) {
      const FragmentSlot slot = of.fragment.slot(of.at(line, along));
      out[first + static_cast<std::size_t>(slot.reg)][static_cast<std::size_t>(slot.lane)] |=
          std::uint64_t{elements[line * pitch + along]} << (slot.part * bits);
    }
}

std::vector<LaneRow> taken(const std::vector<LaneRow>& rows, int block, int count) {
  const auto first = rows.begin() + std::ptrdiff_t{block} * count;
  return {first, first + count};
}

}  // namespace

MatrixForm form_of_warp(const MatrixForm& form) {
  MatrixForm of_warp = form;
  of_warp.shape = {static_cast<int>(kGroupRows), 8, form.shape.k};
  return of_warp;
}

MatrixOperands operands_of_columns(const MatrixForm& form, const MatrixOperands& operands,
                                   int block) {
  const MatrixForm of_warp = form_of_warp(form);
  const auto registers = [&](MatrixRole role) { return Fragment(of_warp, role).registers(); };
  return {operands.a, taken(operands.b, block, registers(MatrixRole::b)),
          taken(operands.c, block, registers(MatrixRole::accumulator))};
}

MatrixOperands group_operands(const MatrixForm& form, std::span<const std::uint32_t> a,
                              std::span<const std::uint32_t> b, std::span<const std::uint32_t> c) {
  const MatrixForm of_warp = form_of_warp(form);
  const Lines left(of_warp, MatrixRole::a), right(of_warp, MatrixRole::b),
      sum(of_warp, MatrixRole::accumulator);
  const int k = form.shape.k, n = form.shape.n;
  MatrixOperands out;
  add_registers(left, matrix_type_bits(form.a), a.data(), k, out.a);
  for (int column = 0; column < n; column += 8) {
    add_registers(right, matrix_type_bits(form.b), b.data() + column * k, k, out.b);
    add_registers(sum, matrix_type_bits(form.accumulator), c.data() + column, n, out.c);
  }
  return out;
}

std::vector<LaneRow> multiply_group(const MatrixForm& form, const MatrixOperands& operands) {
  const MatrixForm of_warp = form_of_warp(form);
  const Lines a(of_warp, MatrixRole::a), b(of_warp, MatrixRole::b),
      d(of_warp, MatrixRole::accumulator);
  const std::vector<std::uint32_t> left = elements_of(a, operands.a);
  std::vector<LaneRow> out;
  for (int block = 0; block < form.shape.n / 8; ++block) {
    const MatrixOperands of = operands_of_columns(form, operands, block);
    const std::vector<std::uint32_t> right = elements_of(b, of.b);
    std::vector<std::uint32_t> sums = elements_of(d, of.c);
    multiply(form, MatrixElements{d.count(), b.count(), left.data(), right.data(), sums.data(),
                                  sums.data()});
    add_registers(d, matrix_type_bits(form.accumulator), sums.data(), d.length(), out);
  }
  return out;
}

SharedCounts group_product_cost(const MatrixForm& form, bool a_in_registers, std::uint32_t warp) {
  constexpr std::uint32_t kWavefrontBits = kBanks * kBankBytes * 8;
  const auto k = static_cast<std::uint32_t>(form.shape.k * matrix_type_bits(form.a));
  const auto lines = static_cast<std::uint32_t>(form.shape.n + (a_in_registers ? 0 : form.shape.m));
  const std::uint32_t all = lines * k / kWavefrontBits, before = warp % kGroupWarps;
  const std::uint32_t wavefronts = all * (before + 1) / kGroupWarps - all * before / kGroupWarps;
  return {.requests = 1, .wavefronts = wavefronts, .ideal_wavefronts = wavefronts};
}

GroupMatrix::GroupMatrix(std::uint64_t descriptor, bool by_columns, std::uint32_t element_bytes)
    : start_(field(descriptor, 0)), leading_(field(descriptor, 16)), stride_(field(descriptor, 32)),
      base_(descriptor >> 49 & 7),
      swizzle_(static_cast<TensorSwizzle>((4 - (descriptor >> 62)) & 3)), by_columns_(by_columns),
      element_bytes_(element_bytes) {}

std::uint32_t GroupMatrix::offset(std::uint32_t line, std::uint32_t k) const {
  const std::uint32_t each = 16 / element_bytes_;
  // `run` counts along what lies side by side, `across` the other way.
  const std::uint32_t run = by_columns_ ? line : k, across = by_columns_ ? k : line;
  const std::uint32_t chunk = run / each, inside = run % each * element_bytes_;
  const std::uint32_t row = across % 8, group = across / 8;
  if (swizzle_ == TensorSwizzle::none) {
    const std::uint32_t next =
        by_columns_ ? chunk * stride_ + group * leading_ : chunk * leading_ + group * stride_;
    return start_ + row * 16 + next + inside;
  }
  const std::uint32_t width = swizzle_bytes(swizzle_), chunks = width / 16;
  const std::uint32_t plain = start_ + row * width + group * stride_ + chunk % chunks * 16 +
                              chunk / chunks * leading_ + inside;
  // The pattern begins where the base offset says, counted in rows of 128 bytes.
  return swizzled(swizzle_, plain - base_ * 128) + base_ * 128;
}

LaneRow group_row(const GroupStep& step) {
  return {step.a_in_registers, step.a_by_columns, step.b_by_columns, step.adds,
          step.a_descriptor,   step.b_descriptor, step.has_values};
}

GroupStep group_step(const LaneRow& form, const LaneRow& rest) {
  return {form_of(form), rest[0] != 0, rest[1] != 0, rest[2] != 0,
          rest[3] != 0,  rest[6] != 0, rest[4],      rest[5]};
}

}  // namespace lanescope
