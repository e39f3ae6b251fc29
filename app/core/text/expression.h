// Integer expressions as C++ writes them, evaluated. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace lanescope::app {

/// Value of an integer expression of literals, + - * / % << >> & | ^ and parentheses; nullopt if it
/// is not one.
std::optional<long long> evaluate(std::string_view expression);

}  // namespace lanescope::app
