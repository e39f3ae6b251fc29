// From raw random numbers to uniform and normal ones, as cuRAND makes them.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace lanescope::app {

inline float uniform_float(std::uint32_t x) { return static_cast<float>(x) * 0x1p-32f + 0x1p-33f; }
/// 53 bits of two numbers.
inline std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return low ^ std::uint64_t{high} << 21;
}
inline double uniform_double(std::uint64_t bits) {
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}

/// Two normal numbers from two uniform ones; `turns`: of the angle, 1 is a full circle.
inline std::pair<double, double> box_muller(double uniform, double turns) {
  const double radius = std::sqrt(-2.0 * std::log(uniform));
  const double angle = turns * 2.0 * std::numbers::pi;
  return {radius * std::sin(angle), radius * std::cos(angle)};
}
inline std::pair<float, float> normal_floats(std::uint32_t x, std::uint32_t y) {
  const auto [a, b] = box_muller(uniform_float(x), y * 0x1p-32 + 0x1p-33);
  return {static_cast<float>(a), static_cast<float>(b)};
}
inline std::pair<double, double> normal_doubles(std::uint64_t x, std::uint64_t y) {
  return box_muller(uniform_double(x), static_cast<double>(y) * 0x1p-53 + 0x1p-54);
}

}  // namespace lanescope::app
