#include "views/command/fuzzy.h"

#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

void better(const char* query, const char* good, const char* bad) {
  const auto a = fuzzy_score(query, good), b = fuzzy_score(query, bad);
  ASSERT_TRUE(a.has_value()) << query << " in " << good;
  ASSERT_TRUE(b.has_value()) << query << " in " << bad;
  EXPECT_GT(*a, *b) << query << ": " << good << " before " << bad;
}

TEST(Fuzzy, WordsBeforePiecesOfWords) {
  better("pad", "Shared tile, padded", "transpose/Shapes and Data");
  better("bank", "Banks", "Show the Banks");
  better("st", "Shared tile", "First step");
  better("dark", "Dark", "Dark and light");
  better("tile", "Shared tile", "Shared tile, any block shape");
}

TEST(Fuzzy, LettersInOrderWordsInAny) {
  EXPECT_TRUE(fuzzy_score("tile shared", "Shared tile").has_value());
  EXPECT_TRUE(fuzzy_score("shtl", "Shared tile").has_value());
  EXPECT_FALSE(fuzzy_score("tlsh", "Shared tile").has_value());
  EXPECT_FALSE(fuzzy_score("tilee", "Shared tile").has_value());
  EXPECT_FALSE(fuzzy_score("x", "").has_value());
  EXPECT_TRUE(fuzzy_score("", "anything").has_value());
}

TEST(Fuzzy, ChineseGoesByCharacterNotByByte) {
  EXPECT_TRUE(fuzzy_score("屏障", "下一个屏障").has_value());
  EXPECT_TRUE(fuzzy_score("下屏", "下一个屏障").has_value());
  // 一 is E4 B8 80: its bytes are spread over these two characters.
  EXPECT_FALSE(fuzzy_score("一", "丁下").has_value());
}

TEST(Fuzzy, BrokenTextDoesNoHarm) {
  EXPECT_FALSE(fuzzy_score("\xe4", "abc").has_value());
  EXPECT_FALSE(fuzzy_score("abc", "\xf0\x9f").has_value());
}

}  // namespace
}  // namespace lanescope::app
