#include "core/course/markdown.h"

#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

TEST(Markdown, BlocksAndRuns) {
  const auto blocks = parse_markdown(
      "Lane `5` is **far**\naway.\n\n1. one\n2. two\n   - deep\n\n```\na  b\n```\n\n<b>no tag</b>");
  ASSERT_EQ(blocks.size(), 6u);
  EXPECT_EQ(blocks[0].runs, (std::vector<MarkdownRun>{{"Lane "},
                                                      {.text = "5", .code = true},
                                                      {" is "},
                                                      {.text = "far", .strong = true},
                                                      {" away."}}));
  EXPECT_EQ(blocks[1].number, 1);
  EXPECT_EQ(blocks[2].number, 2);
  EXPECT_EQ(blocks[3].depth, 2);
  EXPECT_EQ(blocks[3].number, 0);
  EXPECT_EQ(blocks[4].kind, MarkdownBlock::Kind::code);
  EXPECT_EQ(blocks[4].runs.front().text, "a  b\n");
  EXPECT_EQ(blocks[5].runs.front().text, "<b>no tag</b>") << "no HTML";
  EXPECT_EQ(plain_text("a `b` **c**"), "a b c");
}

}  // namespace
}  // namespace lanescope::app
