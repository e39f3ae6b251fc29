#include "core/text/number.h"

#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

TEST(Number, EveryThreeDigitsApart) {
  EXPECT_EQ(grouped(0, ","), "0");
  EXPECT_EQ(grouped(999, ","), "999");
  EXPECT_EQ(grouped(1000, ","), "1,000");
  EXPECT_EQ(grouped(1048576, "\u202f"), "1\u202f048\u202f576");
  EXPECT_EQ(grouped(~0ull, ","), "18,446,744,073,709,551,615");
}

TEST(Number, ZerosBehindThePoint) {
  EXPECT_EQ(fixed(12.5, 2), "12.50");
  EXPECT_EQ(fixed(12.5, 2, Zeros::dropped), "12.5");
  EXPECT_EQ(fixed(12, 3, Zeros::dropped), "12");
  EXPECT_EQ(fixed(100, 0, Zeros::dropped), "100") << "no zero of the whole part";
  EXPECT_EQ(fixed(0.125, 2), "0.12") << "as printf rounds";
}

TEST(Number, SharesArePercent) {
  EXPECT_EQ(percent(0.9375), "93.8 %");
  EXPECT_EQ(percent(1), "100.0 %");
  EXPECT_EQ(percent(1, Zeros::dropped), "100 %");
}

}  // namespace
}  // namespace lanescope::app
