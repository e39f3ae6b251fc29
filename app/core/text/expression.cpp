#include "core/text/expression.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/text/expression_parser.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

constexpr std::array<std::string_view, 13> kIntegerTypes = {
    "size_t",   "ptrdiff_t",    "int",           "long",    "long long",
    "unsigned", "unsigned int", "unsigned long", "int64_t", "unsigned long long",
    "uint64_t", "int32_t",      "uint32_t"};

// Whole numbers of 64 bits, which wrap.
struct Integers {
  using Value = long long;
  static constexpr std::string_view kBlanks = " \t\n\v\f\r", kPrefixes = "-+~";
  std::string why;
  /// Null: there are no names
  const Names* names = nullptr;

  static bool knows(std::string_view op) {
    const bool shift = op == "<<" || op == ">>";
    return shift || (op.size() == 1 && op != "<" && op != ">");
  }

  // "(size_t)" and the like: an index is none the different for it.
  static std::size_t cast(std::string_view rest) {
    const std::size_t close = rest.find(')');
    if (close == std::string_view::npos) return 0;
    std::string_view type = trim(rest.substr(0, close));
    if (type.starts_with("std::")) type.remove_prefix(5);
    const bool integer =
        std::find(kIntegerTypes.begin(), kIntegerTypes.end(), type) != kIntegerTypes.end();
    return integer ? close + 1 : 0;
  }

  [[nodiscard]] std::optional<Value> leaf(std::string_view rest, std::size_t& bytes) const {
    const auto part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    bytes =
        static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), part) - rest.begin());
    std::string_view digits = rest.substr(0, bytes);
    const bool name = bytes > 0 && !std::isdigit(static_cast<unsigned char>(digits.front()));
    if (name) return names ? (*names)(digits) : std::nullopt;
    while (digits.size() > 1 &&
           std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
      digits.remove_suffix(1);
    return rest.substr(bytes).starts_with('.') ? std::nullopt : parse_integer(digits);
  }

  static std::optional<Value> prefixed(char op, Value value) {
    if (op == '~') return ~value;
    return op == '-' ? static_cast<Value>(0 - static_cast<unsigned long long>(value)) : value;
  }

  static std::optional<Value> joined(std::string_view op, Value a, Value b) {
    const auto ua = static_cast<unsigned long long>(a), ub = static_cast<unsigned long long>(b);
    switch (op.front()) {
    case '+':
      return static_cast<Value>(ua + ub);
    case '-':
      return static_cast<Value>(ua - ub);
    case '*':
      return static_cast<Value>(ua * ub);
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<':
    case '>':
      if (b < 0 || b > 63) return std::nullopt;
      return op == "<<" ? static_cast<Value>(ua << b) : a >> b;
    default:
      if (b == 0) return std::nullopt;
      if (b == -1) return op == "/" ? static_cast<Value>(0 - ua) : 0;
      return op == "/" ? a / b : a % b;
    }
  }
};

}  // namespace

std::optional<long long> evaluate(std::string_view expression) {
  Integers terms;
  return ExpressionParser(expression, terms).whole();
}

std::optional<long long> evaluate(std::string_view expression, const Names& names,
                                  std::size_t* wrong_at) {
  Integers terms;
  terms.names = &names;
  ExpressionParser parser(expression, terms);
  const auto value = parser.whole();
  if (!value && wrong_at) *wrong_at = parser.error().at;
  return value;
}

}  // namespace lanescope::app
