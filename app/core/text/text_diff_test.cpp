#include "core/text/text_diff.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::app {
namespace {

// "=a -b +c ~d/e": what each row says.
std::string told(const TextDiff& diff) {
  std::string result;
  for (const DiffRow& row : diff.rows) {
    const std::string left = row.left ? diff.left[*row.left] : "";
    const std::string right = row.right ? diff.right[*row.right] : "";
    result += result.empty() ? "" : " ";
    if (row.same) result += "=" + left;
    if (!row.same && row.left && row.right) result += "~" + left + "/" + right;
    if (row.left && !row.right) result += "-" + left;
    if (!row.left && row.right) result += "+" + right;
  }
  return result;
}

TEST(TextDiff, SaysWhatWentAndWhatCame) {
  EXPECT_EQ(told(diff_texts("a\nb\nc\n", "a\nc\n")), "=a -b =c");
  EXPECT_EQ(told(diff_texts("a\nc\n", "a\nb\nc\n")), "=a +b =c");
  EXPECT_EQ(told(diff_texts("a\nb\nc\n", "a\nx\nc\n")), "=a ~b/x =c");
  EXPECT_EQ(told(diff_texts("", "a\n")), "+a");
  EXPECT_EQ(told(diff_texts("a\nb", "")), "-a -b");
  EXPECT_EQ(told(diff_texts("a  \r\nb\n", "a\nb")), "=a =b") << "ends of lines do not count";
  EXPECT_EQ(told(diff_texts("", "")), "");
}

TEST(TextDiff, FindsTheShortestWay) {
  // Two lines go and one comes; a careless search takes more.
  const TextDiff diff = diff_texts("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n");
  EXPECT_EQ(diff.removed + diff.added, 5u);
}

std::size_t longest_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      best[i][j] =
          a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
    }
  }
  return best[a.size()][b.size()];
}

TEST(TextDiff, KeepsEveryLineAndIsAsShortAsTheTableSays) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string left, right;
    for (std::string* text : {&left, &right}) {
      for (unsigned i = random() % 12; i > 0; --i)
        *text += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
    }
    const TextDiff diff = diff_texts(left, right);
    std::string left_again, right_again;
    for (const DiffRow& row : diff.rows) {
      if (row.left) left_again += diff.left[*row.left] + "\n";
      if (row.right) right_again += diff.right[*row.right] + "\n";
      if (row.same) {
        ASSERT_EQ(diff.left[*row.left], diff.right[*row.right]);
      }
    }
    ASSERT_EQ(left_again, left);
    ASSERT_EQ(right_again, right);
    const std::size_t common = longest_common(diff.left, diff.right);
    ASSERT_EQ(diff.removed, diff.left.size() - common) << left << "---\n" << right;
    ASSERT_EQ(diff.added, diff.right.size() - common);
  }
}

TEST(TextDiff, TwoTextsThatShareNothingEndSoon) {
  std::string left, right;
  for (int i = 0; i < 5000; ++i) {
    left += "l" + std::to_string(i) + "\n";
    right += "r" + std::to_string(i) + "\n";
  }
  const TextDiff diff = diff_texts(left, right);
  EXPECT_EQ(diff.removed, 5000u);
  EXPECT_EQ(diff.added, 5000u);
  EXPECT_EQ(diff.rows.size(), 5000u);
}

TEST(TextDiff, OnlyWhatIsNearADifference) {
  const TextDiff diff = diff_texts("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\nx\n5\n6\n7\n8\n9\n");
  EXPECT_EQ(rows_near_differences(diff, 1), (std::vector<std::size_t>{2, 3, 4}));
  EXPECT_EQ(rows_near_differences(diff_texts("a\nb", "a\nb"), 1).size(), 2u);
}

}  // namespace
}  // namespace lanescope::app
