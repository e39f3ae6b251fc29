#include "model/half.h"

#include <bit>

namespace lanescope {

float float_from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 31u, fraction = half & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // zero and subnormals
  return sign ? -magnitude : magnitude;
}

std::uint16_t half_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u)  // NaN: keep it one, quiet
    return static_cast<std::uint16_t>(sign | 0x7E00u | (magnitude >> 13 & 0x3FFu));
  if (magnitude >= 0x477FF000u)
    return static_cast<std::uint16_t>(sign | 0x7C00u);  // rounds past 65504
  if (magnitude < 0x38800000u) {
    // Subnormal: adding 0.5 leaves the rounded multiple of 2^-24 in the low bits of the mantissa.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3F000000u));
  }
  const std::uint32_t rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

}  // namespace lanescope
