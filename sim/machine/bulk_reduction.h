// What a copy engine makes of two numbers. Read from an NVIDIA H200 (cc 9.0): floats of every kind are added to nearest
// even, subnormal ones too (but those of a tensor of float32_ftz); a NaN is 0x7fff, 0x7fffffff; of halves the least and
// the greatest are what is a number, and −0 lies below 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lanescope/tensor_map.h"
#include "model/half.h"

namespace lanescope::bulk {

inline float bfloat_value(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}
/// To nearest even, of a number
inline std::uint16_t bfloat_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1)) >> 16);
}

/// Two floats of 16 bits
inline std::uint16_t reduced16(BulkReduction how, TensorElement element, std::uint16_t a,
                               std::uint16_t b) {
  const bool is_half = element == TensorElement::f16;
  const float x = is_half ? float_from_half(a) : bfloat_value(a),
              y = is_half ? float_from_half(b) : bfloat_value(b);
  constexpr std::uint16_t kNan = 0x7FFF;
  if (how == BulkReduction::add) {
    const float sum = x + y;
    if (std::isnan(sum)) return kNan;
    return is_half ? half_from_float(sum) : bfloat_bits(sum);
  }
  if (std::isnan(x)) return std::isnan(y) ? kNan : b;
  if (std::isnan(y)) return a;
  // Zeros differ by their sign alone.
  const bool first_is_less = x < y || (x == y && std::signbit(x));
  return first_is_less == (how == BulkReduction::min) ? a : b;
}

inline std::uint32_t added_float(std::uint32_t a, std::uint32_t b, bool flushes) {
  const auto kept = [flushes](float value) {
    return flushes && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
  };
  const float sum = kept(kept(std::bit_cast<float>(a)) + kept(std::bit_cast<float>(b)));
  return std::isnan(sum) ? 0x7FFFFFFFu : std::bit_cast<std::uint32_t>(sum);
}

/// Whole numbers: U without a sign, S with one
template <class U, class S>
U reduced_whole(BulkReduction how, bool is_signed, U a, U b) {
  const bool less = is_signed ? static_cast<S>(a) < static_cast<S>(b) : a < b;
  switch (how) {
  case BulkReduction::none:
    return b;
  case BulkReduction::add:
    return a + b;
  case BulkReduction::min:
    return less ? a : b;
  case BulkReduction::max:
    return less ? b : a;
  case BulkReduction::inc:
    return a >= b ? 0 : a + 1;
  case BulkReduction::dec:
    return a == 0 || a > b ? b : a - 1;
  case BulkReduction::and_:
    return a & b;
  case BulkReduction::or_:
    return a | b;
  case BulkReduction::xor_:
    break;
  }
  return a ^ b;
}

template <class T, class F>
void each_number(std::byte* to, const std::byte* from, std::uint32_t bytes, F make) {
  for (std::uint32_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T a, b;
    std::memcpy(&a, to + at, sizeof a), std::memcpy(&b, from + at, sizeof b);
    const T made = make(a, b);
    std::memcpy(to + at, &made, sizeof made);
  }
}

/// `is_known(how, element)` holds.
inline void reduce(BulkReduction how, TensorElement element, std::byte* to, const std::byte* from,
                   std::uint32_t bytes) {
  using enum TensorElement;
  if (element == f16 || element == bf16)
    return each_number<std::uint16_t>(to, from, bytes, [&](std::uint16_t a, std::uint16_t b) {
      return reduced16(how, element, a, b);
    });
  if (element == f32 || element == f32_ftz)
    return each_number<std::uint32_t>(to, from, bytes, [&](std::uint32_t a, std::uint32_t b) {
      return added_float(a, b, element == f32_ftz);
    });
  if (element == f64)
    return each_number<double>(to, from, bytes, [](double a, double b) { return a + b; });
  const bool is_signed = element == s32 || element == s64;
  if (element == u32 || element == s32)
    return each_number<std::uint32_t>(to, from, bytes, [&](std::uint32_t a, std::uint32_t b) {
      return reduced_whole<std::uint32_t, std::int32_t>(how, is_signed, a, b);
    });
  each_number<std::uint64_t>(to, from, bytes, [&](std::uint64_t a, std::uint64_t b) {
    return reduced_whole<std::uint64_t, std::int64_t>(how, is_signed, a, b);
  });
}

}  // namespace lanescope::bulk
