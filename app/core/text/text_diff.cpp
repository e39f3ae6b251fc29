#include "core/text/text_diff.h"

#include <algorithm>
#include <cstdint>

namespace lanescope::app {
namespace {

// Beyond so many differing lines the shortest way is not looked for any longer: the memory that the
// search keeps grows with the square. What is left then counts as different.
constexpr int kMostEdits = 2000;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    const std::size_t last = line.find_last_not_of(" \t\r");
    lines.emplace_back(line.substr(0, last == std::string_view::npos ? 0 : last + 1));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

struct Match {
  std::size_t left, right;
};

// The greedy search along diagonals: `reach[k]` is how far down the left text the furthest way with
// so many edits gets on the diagonal left − right = k. The reaches of every round are kept to walk
// the best way back.
class Search {
 public:
  Search(const std::vector<std::string>& a, const std::vector<std::string>& b, std::size_t first,
         std::size_t a_end, std::size_t b_end)
      : a_(a), b_(b), first_(first), n_(static_cast<int>(a_end - first)),
        m_(static_cast<int>(b_end - first)), most_(std::min(n_ + m_, kMostEdits)) {}

  std::vector<Match> run() {
    std::vector<int> reach(static_cast<std::size_t>(2 * most_ + 3), 0);
    for (int edits = 0; edits <= most_; ++edits) {
      for (int k = -edits; k <= edits; k += 2) {
        const int down = at(reach, k + 1), across = at(reach, k - 1) + 1;
        int x = k == -edits || (k != edits && across <= down) ? down : across;
        if (edits == 0) x = 0;
        while (x < n_ && x - k < m_ && x - k >= 0 && same(x, x - k)) ++x;
        at(reach, k) = x;
        if (x >= n_ && x - k >= m_) {
          rounds_.push_back(reach);
          return walk_back(edits);
        }
      }
      rounds_.push_back(reach);
    }
    return {};
  }

 private:
  int& at(std::vector<int>& reach, int k) const {
    return reach[static_cast<std::size_t>(k + most_ + 1)];
  }
  bool same(int x, int y) const {
    return a_[first_ + static_cast<std::size_t>(x)] == b_[first_ + static_cast<std::size_t>(y)];
  }

  std::vector<Match> walk_back(int edits) {
    std::vector<Match> matches;
    int x = n_, y = m_;
    for (; edits > 0; --edits) {
      std::vector<int>& before = rounds_[static_cast<std::size_t>(edits - 1)];
      const int k = x - y, down = at(before, k + 1), across = at(before, k - 1) + 1;
      const bool from_down = k == -edits || (k != edits && across <= down);
      const int start = from_down ? down : across;  // just after the edit
      for (; x > start; --x, --y) add(matches, x - 1, y - 1);
      x = from_down ? start : start - 1;
      y = from_down ? start - k - 1 : start - k;
    }
    for (; x > 0; --x, --y) add(matches, x - 1, y - 1);
    std::reverse(matches.begin(), matches.end());
    return matches;
  }

  void add(std::vector<Match>& matches, int x, int y) const {
    matches.push_back({first_ + static_cast<std::size_t>(x), first_ + static_cast<std::size_t>(y)});
  }

  const std::vector<std::string>&a_, &b_;
  std::size_t first_;
  int n_, m_, most_;
  std::vector<std::vector<int>> rounds_;
};

}  // namespace

TextDiff diff_texts(std::string_view left, std::string_view right) {
  TextDiff diff{lines_of(left), lines_of(right), {}, 0, 0};
  const auto &a = diff.left, &b = diff.right;
  std::size_t first = 0, a_end = a.size(), b_end = b.size();
  while (first < a_end && first < b_end && a[first] == b[first]) ++first;
  while (a_end > first && b_end > first && a[a_end - 1] == b[b_end - 1]) --a_end, --b_end;

  std::size_t x = 0, y = 0;
  const auto match_up_to = [&](std::size_t a_line, std::size_t b_line) {
    diff.removed += a_line - x;
    diff.added += b_line - y;
    while (x < a_line || y < b_line) {
      DiffRow row{{}, {}, false};
      if (x < a_line) row.left = x++;
      if (y < b_line) row.right = y++;
      diff.rows.push_back(row);
    }
  };
  const auto matched = [&] { diff.rows.push_back({x++, y++, true}); };
  while (x < first) matched();
  for (const Match& match : Search(a, b, first, a_end, b_end).run()) {
    match_up_to(match.left, match.right);
    matched();
  }
  match_up_to(a_end, b_end);
  while (x < a.size()) matched();
  return diff;
}

std::vector<std::size_t> rows_near_differences(const TextDiff& diff, std::size_t context) {
  std::vector<std::size_t> rows;
  std::size_t next = 0;
  for (std::size_t i = 0; i < diff.rows.size(); ++i) {
    if (diff.rows[i].same) continue;
    for (next = std::max(next, i > context ? i - context : 0);
         next <= i + context && next < diff.rows.size(); ++next)
      rows.push_back(next);
  }
  if (!rows.empty()) return rows;
  for (std::size_t i = 0; i < diff.rows.size(); ++i) rows.push_back(i);
  return rows;
}

}  // namespace lanescope::app
