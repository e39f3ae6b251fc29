// Markdown as blocks of runs of one look, which a window lays out and a page writes down. Pure.
#pragma once

#include <string>
#include <vector>

namespace lanescope::app {

/// Letters of one look.
struct MarkdownRun {
  std::string text;
  bool strong = false, emphasis = false, code = false;
  bool operator==(const MarkdownRun&) const = default;
};

struct MarkdownBlock {
  enum class Kind { paragraph, item, code };
  Kind kind = Kind::paragraph;
  std::vector<MarkdownRun> runs;
  /// Of an item: in a list that counts, from 1; else 0
  int number = 0;
  /// Of an item: lists that it is in, from 1
  int depth = 0;
};

/// Paragraphs, lists and blocks of code; whatever else stands there is a paragraph.
std::vector<MarkdownBlock> parse_markdown(const std::string& text);
/// Without its marks, for a title or a line.
std::string plain_text(const std::string& markdown);

}  // namespace lanescope::app
