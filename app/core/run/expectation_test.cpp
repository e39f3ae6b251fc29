#include "core/run/expectation.h"

#include <gtest/gtest.h>

#include <limits>

namespace lanescope::app {
namespace {

const Facts kFacts = {{"conflicts", 0},
                      {"sectors", 131},
                      {"ideal_sectors", 128},
                      {"correct", 1},
                      {"checked", 1},
                      {"efficiency", std::numeric_limits<double>::quiet_NaN()},
                      {"shared_load.conflicts", 7}};

bool holds(const std::string& text) {
  const Expectation::Parsed parsed = Expectation::parse(text);
  EXPECT_TRUE(parsed.expectation) << text;
  return parsed.expectation && parsed.expectation->holds(kFacts);
}

std::uint32_t error_column(const std::string& text) {
  const Expectation::Parsed parsed = Expectation::parse(text);
  EXPECT_FALSE(parsed.expectation) << text;
  if (parsed.diagnostics.empty()) return 0;
  EXPECT_EQ(parsed.diagnostics[0].kind, DiagnosticKind::usage);
  EXPECT_EQ(parsed.diagnostics[0].source_line, text);
  return parsed.diagnostics[0].column;
}

TEST(Expectation, ComparesAndJoins) {
  EXPECT_TRUE(holds("conflicts==0"));
  EXPECT_FALSE(holds("conflicts > 0"));
  EXPECT_TRUE(holds("sectors<=1.1*ideal_sectors"));
  EXPECT_FALSE(holds("sectors <= 1.01 * ideal_sectors"));
  EXPECT_TRUE(holds("correct"));
  EXPECT_FALSE(holds("!correct"));
  EXPECT_TRUE(holds("correct && conflicts == 0 || false"));
  EXPECT_TRUE(holds("shared_load.conflicts - 2 * 3 == 1"));
  EXPECT_TRUE(holds("-(1 - 3) == 8 / 4 && (1 < 2) == true"));
  EXPECT_TRUE(holds("10 - 3 - 2 == 5")) << "from the left";
  EXPECT_TRUE(holds("1e3 != 1"));
}

TEST(Expectation, NothingHoldsOfANumberThatIsNotThere) {
  for (const char* text :
       {"efficiency >= 0.9", "efficiency < 0.9", "efficiency != 1", "efficiency == efficiency",
        "1 / conflicts > 0", "1/conflicts != 3", "global_load.sectors >= 0"})
    EXPECT_FALSE(holds(text)) << text;
}

TEST(Expectation, ErrorsStandWhereTheyAre) {
  EXPECT_EQ(error_column("shared_laod.conflicts==0"), 1u);
  EXPECT_EQ(error_column("conflicts=0"), 10u);
  EXPECT_EQ(error_column("conflicts=="), 12u);
  EXPECT_EQ(error_column("conflicts==0)"), 13u);
  EXPECT_EQ(error_column("(conflicts==0"), 14u);
  EXPECT_EQ(error_column("conflicts"), 1u) << "a number is no condition";
  EXPECT_EQ(error_column("correct + 1 == 2"), 9u);
  EXPECT_EQ(error_column("conflicts && correct"), 11u);
  EXPECT_EQ(error_column("0 <= conflicts <= 3"), 16u);
  EXPECT_EQ(error_column("conflicts == 1.2.3"), 14u);
  EXPECT_EQ(error_column(""), 1u);
  EXPECT_EQ(error_column("conflicts == 0; system"), 15u);
  EXPECT_GT(error_column(std::string(100000, '(')), 100u);
}

}  // namespace
}  // namespace lanescope::app
