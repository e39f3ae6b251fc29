// Numbers narrower than a float, as matrices of them are stored.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace lanescope::app {

inline float from_half(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16, rest = bits & 0x7fffu;
  if (rest >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  if (rest < 0x400u) {  // subnormal: so many times 2^-24
    const float value = static_cast<float>(rest) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }
  return std::bit_cast<float>(sign | ((rest << 13) + (112u << 23)));
}

/// To the nearest, ties to even.
inline std::uint16_t to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7fffu);
  if (rest >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (rest < 0x38800000u)
    return static_cast<std::uint16_t>(
        sign | static_cast<std::uint16_t>(std::nearbyint(std::bit_cast<float>(rest) * 0x1p24f)));
  const std::uint32_t rounded = rest + 0xfffu + (rest >> 13 & 1u) - (112u << 23);
  return static_cast<std::uint16_t>(sign | rounded >> 13);
}

inline float from_bfloat(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}
/// To the nearest, ties to even.
inline std::uint16_t to_bfloat(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/// What is left of a float in a tensor core that takes TF32: ten bits behind the point, to the
/// nearest, ties away from zero (PTX ISA, cvt.rna.tf32).
inline float to_tf32(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  return std::isfinite(value) ? std::bit_cast<float>((bits + 0x1000u) & 0xffffe000u) : value;
}

}  // namespace lanescope::app
