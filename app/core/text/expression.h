// Integer expressions as C++ writes them, evaluated. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

namespace lanescope::app {

/// Value of an integer expression of literals, + - * / % << >> & | ^ and parentheses; nullopt if it
/// is not one.
std::optional<long long> evaluate(std::string_view expression);

/// The value of a name; nullopt for one that is unknown.
using Names = std::function<std::optional<long long>(std::string_view)>;
/// The same with names in it. `wrong_at` is given the byte from which on it is no expression.
std::optional<long long> evaluate(std::string_view expression, const Names& names,
                                  std::size_t* wrong_at = nullptr);

}  // namespace lanescope::app
