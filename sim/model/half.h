// IEEE 754 binary16 to and from binary32, round to nearest even.
#pragma once

#include <cstdint>

namespace lanescope {

float float_from_half(std::uint16_t half);
std::uint16_t half_from_float(float value);

}  // namespace lanescope
