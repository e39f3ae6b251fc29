#include "core/text/csv.h"

#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

TEST(Csv, QuotesWhatMustBeQuoted) {
  EXPECT_EQ(csv_line({"a", "b,c", "d\"e", ""}), "a,\"b,c\",\"d\"\"e\",\r\n");
  EXPECT_EQ(csv_line({"x\ny", "\r"}), "\"x\ny\",\"\r\"\r\n");
  EXPECT_EQ(csv_line({}), "\r\n");
}

TEST(Csv, EndsAsItIsAsked) { EXPECT_EQ(csv_line({"a", "b"}, "\n"), "a,b\n"); }

}  // namespace
}  // namespace lanescope::app
