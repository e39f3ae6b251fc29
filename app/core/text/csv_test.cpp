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

TEST(Csv, WhatASpreadsheetWouldRunBecomesText) {
  for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"})
    EXPECT_EQ(no_formula(formula), std::string("'") + formula);
  for (const char* text : {"", "ann", "1", "a=1", "'=1", "conflicts == 0"})
    EXPECT_EQ(no_formula(text), text);
}

}  // namespace
}  // namespace lanescope::app
