#include <gtest/gtest.h>

#include "core/text/expression.h"

namespace lanescope::app {
namespace {

TEST(Evaluate, FollowsCxxPrecedence) {
  EXPECT_EQ(evaluate("37*1024 + 5"), 37893);
  EXPECT_EQ(evaluate("1 + 2 * 3 % 4 - -5"), 8);
  EXPECT_EQ(evaluate("(1 + 2) * (3 - 4)"), -3);
  EXPECT_EQ(evaluate("10 - 3 - 2"), 5);
  EXPECT_EQ(evaluate("1 << 2 + 3 | 1"), 33);
  EXPECT_EQ(evaluate("6 & 3 ^ 1 | 8"), 11);
  EXPECT_EQ(evaluate("(size_t)7 * (unsigned int)0x10u"), 112);
  EXPECT_EQ(evaluate("~0 & 5"), 5);
}

TEST(Evaluate, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"", "x + 1", "1 +", "f(3)", "1.5 * 2", "1 / 0", "1 % 0", "1 && 2",
                           "1 == 1", "(1", "1)", "1 << 64", "a ? 1 : 2"}) {
    EXPECT_FALSE(evaluate(text)) << text;
  }
}

TEST(Evaluate, KnowsNamesWhereItIsGivenSome) {
  const Names names = [](std::string_view name) -> std::optional<long long> {
    return name == "row" ? std::optional(5ll) : name == "k_2" ? std::optional(7ll) : std::nullopt;
  };
  EXPECT_EQ(evaluate("row*2 + (k_2 ^ 1)", names), 16);
  std::size_t wrong = 0;
  EXPECT_FALSE(evaluate("row + column", names, &wrong));
  EXPECT_EQ(wrong, 6u);
  EXPECT_FALSE(evaluate("row + row 1", names, &wrong));
  EXPECT_EQ(wrong, 10u);
  EXPECT_FALSE(evaluate("row"));
}

}  // namespace
}  // namespace lanescope::app
