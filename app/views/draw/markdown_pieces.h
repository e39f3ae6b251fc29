// Where lines of a Markdown text may be broken, in Latin and Chinese. Pure.
#pragma once

#include <string>
#include <vector>

#include "core/course/markdown.h"

namespace lanescope::app {

/// A piece that no line is broken within.
struct MarkdownPiece {
  std::string text;
  bool strong = false, code = false;
  /// A blank stands before it, unless it begins a line
  bool blank = false;
  /// A line may begin with it
  bool may_break = false;
  /// A line may begin with it where the code that it belongs to fits no line
  bool may_split = false;
  /// Pixels, once it has been measured
  float width = 0;
};

/// Cuts the runs of a block where lines may be broken: at blanks, between Chinese letters, not before
/// what closes and not behind what opens. Code is kept in one where it fits a line.
std::vector<MarkdownPiece> markdown_pieces(const std::vector<MarkdownRun>& runs);

}  // namespace lanescope::app
