#include "lanescope/group_matrix.h"

#include "lanescope/matrix_sum.h"

namespace lanescope {
namespace {

std::uint32_t field(std::uint64_t descriptor, int bit) {
  return static_cast<std::uint32_t>(descriptor >> bit & 0x3fff) << 4;
}

}  // namespace

SharedCounts group_product_cost(const MatrixForm& form, bool a_in_registers, std::uint32_t warp) {
  constexpr std::uint32_t kWarps = 4, kWavefrontBits = kBanks * kBankBytes * 8;
  const auto k = static_cast<std::uint32_t>(form.shape.k * matrix_type_bits(form.a));
  const auto lines = static_cast<std::uint32_t>(form.shape.n + (a_in_registers ? 0 : form.shape.m));
  const std::uint32_t all = lines * k / kWavefrontBits, before = warp % kWarps;
  const std::uint32_t wavefronts = all * (before + 1) / kWarps - all * before / kWarps;
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
  return {step.a_in_registers, step.a_by_columns, step.b_by_columns,
          step.adds,           step.a_descriptor, step.b_descriptor};
}

GroupStep group_step(const LaneRow& form, const LaneRow& rest) {
  return {form_of(form), rest[0] != 0, rest[1] != 0, rest[2] != 0, rest[3] != 0, rest[4], rest[5]};
}

}  // namespace lanescope
