// Integer expressions after substitution: a recursive descent over C++'s binary operators by
// precedence.
#include <array>
#include <cctype>

#include "core/text/expression.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

struct Operator {
  std::string_view text;
  int precedence;
};
// Longer spellings first.
constexpr std::array<Operator, 10> kOperators = {{{"<<", 4},
                                                  {">>", 4},
                                                  {"*", 6},
                                                  {"/", 6},
                                                  {"%", 6},
                                                  {"+", 5},
                                                  {"-", 5},
                                                  {"&", 3},
                                                  {"^", 2},
                                                  {"|", 1}}};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<long long> whole() {
    const auto value = binary(0);
    skip();
    return text_.empty() && !failed_ ? value : std::nullopt;
  }

 private:
  void skip() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front())))
      text_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skip();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  std::optional<long long> fail() {
    failed_ = true;
    return std::nullopt;
  }

  std::optional<long long> binary(int lowest) {
    auto left = unary();
    while (left && !failed_) {
      skip();
      const Operator* found = nullptr;
      for (const Operator& op : kOperators) {
        if (text_.starts_with(op.text)) {
          found = &op;
          break;
        }
      }
      if (!found || found->precedence <= lowest) break;
      text_.remove_prefix(found->text.size());
      if (text_.starts_with('=') || text_.starts_with('&') || text_.starts_with('|')) return fail();
      const auto right = binary(found->precedence);
      if (!right) return fail();
      left = apply(found->text, *left, *right);
    }
    return left;
  }

  std::optional<long long> apply(std::string_view op, long long a, long long b) {
    const auto ua = static_cast<unsigned long long>(a), ub = static_cast<unsigned long long>(b);
    if (op == "+") return static_cast<long long>(ua + ub);
    if (op == "-") return static_cast<long long>(ua - ub);
    if (op == "*") return static_cast<long long>(ua * ub);
    if (op == "&") return a & b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "<<" || op == ">>") {
      if (b < 0 || b > 63) return fail();
      return op == "<<" ? static_cast<long long>(ua << b) : a >> b;
    }
    if (b == 0 || b == -1)
      return b == 0 ? fail() : std::optional(op == "/" ? static_cast<long long>(0 - ua) : 0);
    return op == "/" ? a / b : a % b;
  }

  std::optional<long long> unary() {
    skip();
    if (take("-")) {
      const auto value = unary();
      return value ? std::optional(-*value) : fail();
    }
    if (take("+")) return unary();
    if (take("~")) {
      const auto value = unary();
      return value ? std::optional(~*value) : fail();
    }
    if (take("(")) {
      if (take_cast()) return unary();
      const auto value = binary(0);
      return value && take(")") ? value : fail();
    }
    return number();
  }

  // "(size_t)" and the like, after the parenthesis: an index is none the different for it.
  bool take_cast() {
    const std::size_t close = text_.find(')');
    if (close == std::string_view::npos) return false;
    std::string type(trim(text_.substr(0, close)));
    if (type.starts_with("std::")) type.erase(0, 5);
    const bool wide = type == "size_t" || type == "ptrdiff_t" || type == "int" || type == "long" ||
                      type == "long long" || type == "unsigned" || type == "unsigned int" ||
                      type == "unsigned long" || type == "unsigned long long" ||
                      type == "int64_t" || type == "uint64_t" || type == "int32_t" ||
                      type == "uint32_t";
    if (wide) text_.remove_prefix(close + 1);
    return wide;
  }

  std::optional<long long> number() {
    std::size_t end = 0;
    while (end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end]))) ++end;
    std::string_view digits = text_.substr(0, end);
    while (digits.size() > 1 &&
           std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
      digits.remove_suffix(1);
    const auto value = parse_integer(digits);
    if (!value || (end < text_.size() && text_[end] == '.')) return fail();
    text_.remove_prefix(end);
    return value;
  }

  std::string_view text_;
  bool failed_ = false;
};

}  // namespace

std::optional<long long> evaluate(std::string_view expression) {
  return Parser(expression).whole();
}

}  // namespace lanescope::app
