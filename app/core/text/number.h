// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::app {

/// Every three digits apart: 1048576 as "1,048,576".
std::string grouped(std::uint64_t value, std::string_view separator);

/// What becomes of zeros at the end, behind the point.
enum class Zeros { kept, dropped };
/// With `digits` behind the point; 12.50 is "12.50", or "12.5" with zeros dropped, and 12.00 "12".
std::string fixed(double value, int digits, Zeros zeros = Zeros::kept);
/// A share of one with one digit behind the point: 0.9375 as "93.8 %".
std::string percent(double share, Zeros zeros = Zeros::kept);

}  // namespace lanescope::app
