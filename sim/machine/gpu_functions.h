// Functions of floats as CUDA's library computes them, to the last bit: its results differ from the nearest
// float in every sixth case or so. Read from an H200 (1024 arguments each, no difference). `static`: see
// lane_math.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace lanescope {

/// x less a multiple of a quarter turn, and which of four quarters that is.
struct Quarter {
  float rest;
  std::uint32_t number;
};
static inline Quarter quarter_of(float x) {
  // Beyond, the multiple has too many digits for the three steps.
  if (std::fabs(x) <= 105615.0f) {
    const float count = std::rint(x * 0x1.45f306p-1f);
    float rest = std::fma(count, -0x1.921fb4p+0f, x);
    rest = std::fma(count, -0x1.4442d0p-24f, rest);
    rest = std::fma(count, -0x1.84698ap-48f, rest);
    return {rest, static_cast<std::uint32_t>(static_cast<std::int32_t>(count))};
  }
  const double s = std::sin(static_cast<double>(x)), c = std::cos(static_cast<double>(x));
  if (std::fabs(s) <= std::fabs(c)) return {static_cast<float>(std::atan(s / c)), c > 0 ? 0u : 2u};
  return {static_cast<float>(-std::atan(c / s)), s > 0 ? 1u : 3u};
}

static inline float sine_of(Quarter at) {
  const float square = at.rest * at.rest;
  float value;
  if ((at.number & 1) != 0) {
    float p = std::fma(0x1.975800p-16f, square, -0x1.6c0fdap-10f);
    p = std::fma(p, square, 0x1.555576p-5f);
    p = std::fma(p, square, -0x1.fffffep-2f);
    value = std::fma(p, square, 1.0f);
  } else {
    float p = std::fma(-0x1.9a82a6p-13f, square, 0x1.110bc8p-7f);
    p = std::fma(p, square, -0x1.555550p-3f);
    value = std::fma(p, square * at.rest, at.rest);
  }
  return (at.number & 2) != 0 ? -value : value;
}

static inline float gpu_sin(float x) { return x == 0 ? x : sine_of(quarter_of(x)); }
static inline float gpu_cos(float x) {
  Quarter at = quarter_of(x);
  ++at.number;
  return sine_of(at);
}

static inline float gpu_log(float x) {
  const bool tiny = x < std::numeric_limits<float>::min();
  const float scaled = tiny ? x * 0x1p23f : x;
  std::uint32_t bits;
  std::memcpy(&bits, &scaled, 4);
  if (x == 0) return -std::numeric_limits<float>::infinity();
  if (bits > 0x7f7fffffu) return x > 0 ? x : std::numeric_limits<float>::quiet_NaN();
  // A power of two apart, 2/3 to 4/3.
  const std::uint32_t power = (bits - 0x3f2aaaabu) & 0xff800000u;
  bits -= power;
  float m;
  std::memcpy(&m, &bits, 4);
  m -= 1.0f;
  const float exponent = std::fma(static_cast<float>(static_cast<std::int32_t>(power)), 0x1p-23f,
                                  tiny ? -23.0f : 0.0f);
  constexpr float kSeries[] = {-0x1.0aa04ep-3f, 0x1.2073ecp-3f,  -0x1.f19b98p-4f,
                               0x1.1e52aap-3f,  -0x1.55b172p-3f, 0x1.99da16p-3f,
                               -0x1.fffe44p-3f, 0x1.5554f0p-2f,  -0x1p-1f};
  float p = kSeries[0];
  for (int i = 1; i < 9; ++i) p = std::fma(m, p, kSeries[i]);
  return std::fma(exponent, 0x1.62e430p-1f, std::fma(m, m * p, m));
}

}  // namespace lanescope
