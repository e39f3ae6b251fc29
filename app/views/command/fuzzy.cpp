#include "views/command/fuzzy.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/text/utf8.h"

namespace lanescope::app {
namespace {

constexpr int kLetter = 1, kRun = 4, kWordStart = 8, kTextStart = 6, kWhole = 20, kGap = 1;
constexpr int kNo = std::numeric_limits<int>::min() / 2;

// In lower case where they are ASCII.
std::u32string letters_of(std::string_view text) {
  std::u32string letters = code_points(text);
  for (char32_t& letter : letters)
    if (letter >= 'A' && letter <= 'Z') letter += 'a' - 'A';
  return letters;
}

bool separates(char32_t letter) {
  return letter == ' ' || letter == '_' || letter == '/' || letter == '-' || letter == '.' ||
         letter == ',' || letter == '(' || letter == '[';
}

int bonus(const std::u32string& text, std::size_t at) {
  if (at == 0) return kTextStart + kWordStart;
  return separates(text[at - 1]) ? kWordStart : 0;
}

// The best way to find the word's letters in the text, in order: for each of its letters in turn,
// the best score of a match that ends at each place of the text.
std::optional<int> score_word(const std::u32string& word, const std::u32string& text) {
  std::vector<int> best(text.size(), kNo), next(text.size());
  for (std::size_t w = 0; w < word.size(); ++w) {
    int before = kNo;  // the best of any match of the letters so far that ended earlier
    for (std::size_t t = 0; t < text.size(); ++t) {
      next[t] = kNo;
      if (word[w] == text[t]) {
        const int run = w > 0 && t > 0 && best[t - 1] > kNo ? best[t - 1] + kRun : kNo;
        const int jump = w == 0 ? 0 : before > kNo ? before - kGap : kNo;
        const int from = std::max(run, jump);
        if (from > kNo) next[t] = from + kLetter + bonus(text, t);
      }
      before = std::max(before > kNo ? before - kGap : kNo, best[t]);
    }
    best.swap(next);
  }
  const int score = best.empty() ? kNo : *std::max_element(best.begin(), best.end());
  if (score < kNo / 2) return std::nullopt;
  return score;
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view query, std::string_view text) {
  const std::u32string wanted = letters_of(query), given = letters_of(text);
  int total = 0;
  std::u32string word;
  for (std::size_t i = 0; i <= wanted.size(); ++i) {
    if (i < wanted.size() && wanted[i] != ' ') {
      word.push_back(wanted[i]);
      continue;
    }
    if (word.empty()) continue;
    const std::optional<int> score = score_word(word, given);
    if (!score) return std::nullopt;
    total += *score;
    word.clear();
  }
  if (wanted == given) total += kWhole;
  // Of two texts that match alike, the shorter one has less that was not asked for.
  return total * 8 - static_cast<int>(std::min<std::size_t>(given.size(), 200)) / 4;
}

}  // namespace lanescope::app
