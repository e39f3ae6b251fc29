// Expressions as C and C++ write them: recursive descent over the binary operators by precedence.
// What values are, which operators there are of them and what else stands in an expression, the
// user says. Pure.
#pragma once

#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::app {

struct BinaryOperator {
  std::string_view text;
  /// The higher ones bind tighter
  int precedence = 0;
};
/// C++'s, longer spellings first.
inline constexpr std::array<BinaryOperator, 18> kBinaryOperators = {{{"||", 1},
                                                                     {"&&", 2},
                                                                     {"==", 6},
                                                                     {"!=", 6},
                                                                     {"<=", 7},
                                                                     {">=", 7},
                                                                     {"<<", 8},
                                                                     {">>", 8},
                                                                     {"|", 3},
                                                                     {"^", 4},
                                                                     {"&", 5},
                                                                     {"<", 7},
                                                                     {">", 7},
                                                                     {"+", 9},
                                                                     {"-", 9},
                                                                     {"*", 10},
                                                                     {"/", 10},
                                                                     {"%", 10}}};

/// Why a text is no expression, and at which byte.
struct ExpressionError {
  std::string why;
  std::size_t at = 0;
};

/// `Terms` says what an expression is made of. Every hook that gives nullopt leaves in `why` what is
/// wrong:
///   using Value = …;
///   static constexpr std::string_view kBlanks, kPrefixes;  // " \t", "-!"
///   std::string why;
///   static bool knows(std::string_view op);      // of kBinaryOperators
///   static std::size_t cast(std::string_view);   // bytes of "int)" after a parenthesis; 0: none
///   std::optional<Value> leaf(std::string_view rest, std::size_t& bytes);  // the first of `rest`
///   std::optional<Value> prefixed(char op, Value);
///   std::optional<Value> joined(std::string_view op, Value left, Value right);
template <class Terms>
class ExpressionParser {
 public:
  using Value = typename Terms::Value;

  ExpressionParser(std::string_view text, Terms& terms) : text_(text), terms_(terms) {}

  /// Of all of the text; nullopt after an error.
  std::optional<Value> whole() {
    auto value = binary(0);
    skip();
    if (value && at_ < text_.size()) return fail(at_, "an operator was expected");
    return value;
  }
  /// The first one
  [[nodiscard]] const ExpressionError& error() const { return error_; }

 private:
  // Deeper ones would be a danger to the stack, and no help to anybody.
  static constexpr int kDeepest = 200;

  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  void skip() {
    while (at_ < text_.size() && Terms::kBlanks.find(text_[at_]) != std::string_view::npos) ++at_;
  }
  std::nullopt_t fail(std::size_t at, std::string why) {
    error_ = {std::move(why), at};
    return std::nullopt;
  }
  std::optional<Value> checked(std::size_t at, std::optional<Value> value) {
    if (!value) fail(at, terms_.why);
    return value;
  }

  const BinaryOperator* next_operator() {
    skip();
    for (const BinaryOperator& op : kBinaryOperators)
      if (Terms::knows(op.text) && rest().starts_with(op.text)) return &op;
    return nullptr;
  }

  std::optional<Value> binary(int lowest) {
    auto left = unary();
    while (left) {
      const BinaryOperator* op = next_operator();
      if (!op || op->precedence <= lowest) break;
      const std::size_t where = at_;
      at_ += op->text.size();
      auto right = binary(op->precedence);
      if (!right) return std::nullopt;
      left = checked(where, terms_.joined(op->text, std::move(*left), std::move(*right)));
    }
    return left;
  }

  std::optional<Value> unary() {
    if (++depth_ > kDeepest) return fail(at_, "is nested too deeply");
    auto value = unary_within();
    --depth_;
    return value;
  }

  std::optional<Value> unary_within() {
    skip();
    const std::size_t where = at_;
    if (at_ >= text_.size()) return fail(at_, "ends where a number or a name was expected");
    const char first = text_[at_];
    if (Terms::kPrefixes.find(first) != std::string_view::npos && !rest().starts_with("!=")) {
      ++at_;
      auto operand = unary();
      if (!operand) return std::nullopt;
      return checked(where, terms_.prefixed(first, std::move(*operand)));
    }
    if (first == '(') return parenthesised();
    std::size_t bytes = 0;
    auto value = checked(where, terms_.leaf(rest(), bytes));
    at_ += bytes;
    return value;
  }

  std::optional<Value> parenthesised() {
    ++at_;
    if (const std::size_t bytes = Terms::cast(rest()); bytes > 0) {
      at_ += bytes;
      return unary();
    }
    auto inside = binary(0);
    if (!inside) return std::nullopt;
    skip();
    if (!rest().starts_with(')')) return fail(at_, "a ')' is missing");
    ++at_;
    return inside;
  }

  std::string_view text_;
  Terms& terms_;
  std::size_t at_ = 0;
  ExpressionError error_;
  int depth_ = 0;
};

}  // namespace lanescope::app
