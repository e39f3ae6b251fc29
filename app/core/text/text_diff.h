// The difference of two texts, line by line, side by side. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::app {

/// One row of two texts laid side by side. A line that only one text has stands alone; lines taken
/// away and lines put in their place stand beside each other.
struct DiffRow {
  /// Line numbers from 0
  std::optional<std::size_t> left, right;
  bool same = true;
  bool operator==(const DiffRow&) const = default;
};

struct TextDiff {
  /// The lines, without their ends
  std::vector<std::string> left, right;
  /// Every line of both, in order
  std::vector<DiffRow> rows;
  /// Lines only on the left; only on the right
  std::size_t removed = 0, added = 0;
};

/// As few lines as possible are told to differ. Blanks at a line's end do not count.
TextDiff diff_texts(std::string_view left, std::string_view right);

/// The rows within `context` rows of a difference; two neighbours that do not follow each other in
/// `rows` have something left out between them. All of them where nothing differs.
std::vector<std::size_t> rows_near_differences(const TextDiff& diff, std::size_t context);

}  // namespace lanescope::app
