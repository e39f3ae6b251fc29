#include "core/kernel/front_matter.h"

#include <gtest/gtest.h>

#include "core/kernel/kernel_testing.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

TEST(FrontMatter, ReadsEveryField) {
  const FrontMatterResult result = parse_front_matter("a.cu", kTranspose);
  ASSERT_TRUE(result.front_matter) << messages(result.diagnostics);
  const FrontMatter& matter = *result.front_matter;
  EXPECT_EQ(matter.title, "Tile");
  EXPECT_EQ(matter.kernel, "tile");
  ASSERT_EQ(matter.parameters.size(), 2u);
  EXPECT_EQ(matter.parameters[0].name, "PAD");
  EXPECT_EQ(matter.parameters[0].max, 4);
  EXPECT_EQ(matter.parameters[1].default_text(), "32");
  ASSERT_EQ(matter.arguments.size(), 4u);
  EXPECT_EQ(matter.arguments[0].shape, (std::vector<std::string>{"ny", "nx"}));
  EXPECT_EQ(matter.arguments[0].fill, Fill::index);
  EXPECT_EQ(matter.arguments[1].fill, Fill::poison) << "the reference's output starts as poison";
  EXPECT_EQ(matter.arguments[3].value, "96");
  EXPECT_EQ(matter.grid[1], "ceil_div(ny, BX)");
  EXPECT_EQ(matter.shared, "0");
  EXPECT_EQ(matter.reference.kind, "transpose");
  EXPECT_EQ(matter.lines, 36u);
}

TEST(FrontMatter, TextWithoutIsNoError) {
  const FrontMatterResult result =
      parse_front_matter("a.cu", "/* a comment */ __global__ void k() {}");
  EXPECT_FALSE(result.front_matter);
  EXPECT_TRUE(result.diagnostics.empty());
}

TEST(FrontMatter, ChoicesPutTheDefaultFirst) {
  const auto result = parse_front_matter(
      "a.cu",
      "/*---\n[[parameter]]\nname = 'T'\nchoices = ['float', 'double']\ndefault = 'double'\n---*/");
  ASSERT_TRUE(result.front_matter) << messages(result.diagnostics);
  EXPECT_EQ(result.front_matter->parameters[0].default_text(), "double");
}

struct Wrong {
  const char* from;
  const char* to;
  const char* message;
  std::uint32_t line;
};

class WrongFrontMatter : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongFrontMatter, IsAnErrorAtItsLine) {
  const Wrong& wrong = GetParam();
  const std::string text = replaced(kTranspose, wrong.from, wrong.to);
  const FrontMatterResult result = parse_front_matter("a.cu", text);
  EXPECT_FALSE(result.front_matter);
  ASSERT_FALSE(result.diagnostics.empty());
  const Diagnostic& first = result.diagnostics.front();
  EXPECT_NE(first.message.english().find(wrong.message), std::string::npos)
      << first.message.english();
  EXPECT_EQ(first.line, wrong.line);
  EXPECT_GT(first.column, 0u);
  EXPECT_EQ(first.file, "a.cu");
  EXPECT_EQ(first.kind, DiagnosticKind::usage);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongFrontMatter,
    ::testing::Values(Wrong{"title = \"Tile\"", "title = Tile", "", 2},
                      Wrong{"title =", "titel =", "unknown key 'titel'", 2},
                      Wrong{"default = 0", "defualt = 0", "unknown key 'defualt'", 7},
                      Wrong{"default = 0", "default = 9", "outside 0 to 4", 5},
                      Wrong{"max = 4", "max = 'four'", "must be an integer", 9},
                      Wrong{"min = 0\n", "", "needs default, min and max", 5},
                      Wrong{"kind = \"transpose\"", "kind = \"sort\"", "unknown reference 'sort'",
                            32},
                      Wrong{"output = \"out\"", "output = \"nx\"", "no buffer argument", 32},
                      Wrong{"inputs = [\"in\"]", "inputs = []", "one input", 32},
                      Wrong{"shape = [\"ny\", \"nx\"]", "fill = 'index'", "needs a shape", 15}));

TEST(FrontMatter, UnclosedIsAnError) {
  const auto result = parse_front_matter("a.cu", "\n/*---\ntitle = 'x'\n");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].line, 2u);
}

}  // namespace
}  // namespace lanescope::app
