// Where lines of a lesson's text may be broken.
#include "views/draw/markdown_pieces.h"

#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

// As it would be set in lines that hold one piece each.
std::vector<std::string> narrow(const std::string& markdown) {
  std::vector<std::string> lines;
  for (const MarkdownPiece& piece : markdown_pieces(parse_markdown(markdown).front().runs)) {
    if (piece.may_break || lines.empty())
      lines.push_back(piece.text);
    else
      lines.back() += (piece.blank ? " " : "") + piece.text;
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(MarkdownPieces, LinesAreBrokenAtBlanks) {
  EXPECT_EQ(narrow("one two, three."), (Lines{"one", "two,", "three."}));
}

TEST(MarkdownPieces, CodeIsKeptInOne) {
  EXPECT_EQ(narrow("read by `lane 3` of `warp 2`, then"),
            (Lines{"read", "by", "lane 3", "of", "warp 2,", "then"}));
  EXPECT_EQ(narrow("`in[5] + 1` `out[3]`"), (Lines{"in[5] + 1", "out[3]"}))
      << "two pieces of code are two";
  const auto pieces = markdown_pieces(parse_markdown("`a + b`").front().runs);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_TRUE(pieces[1].may_split) << "where it fits no line";
}

TEST(MarkdownPieces, ChineseIsBrokenBetweenLettersButNotBeforeItsPunctuation) {
  EXPECT_EQ(narrow("第一，好"), (Lines{"第", "一，", "好"}));
  EXPECT_EQ(narrow("读 `lane 3` 的"), (Lines{"读", "lane 3", "的"}));
  EXPECT_EQ(narrow("下标：`As[i]`。好"), (Lines{"下", "标：", "As[i]。", "好"}))
      << "code may begin a line";
  EXPECT_EQ(narrow("（`i`）"), (Lines{"（i）"}));
}

}  // namespace
}  // namespace lanescope::app
