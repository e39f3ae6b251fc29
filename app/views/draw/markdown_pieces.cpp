#include "views/draw/markdown_pieces.h"

#include <algorithm>

#include "imgui_internal.h"
#include "views/lines/line_breaks.h"

namespace lanescope::app {
namespace {

class Cutter {
 public:
  std::vector<MarkdownPiece> cut(const std::vector<MarkdownRun>& runs) {
    for (const MarkdownRun& run : runs) {
      for (std::size_t at = 0; at < run.text.size();) {
        unsigned c = 0;
        const int bytes = std::max(
            1, ImTextCharFromUtf8(&c, run.text.data() + at, run.text.data() + run.text.size()));
        add(run, run.text.substr(at, static_cast<std::size_t>(bytes)), c);
        at += static_cast<std::size_t>(bytes);
      }
    }
    return std::move(pieces_);
  }

 private:
  void add(const MarkdownRun& run, const std::string& letter, unsigned c) {
    if (c == ' ' || c == '\n') {
      blank_ = true;
      in_code_ = run.code;
      return;
    }
    const bool split = blank_ && in_code_ && run.code;
    const bool strong = run.strong || run.emphasis;
    const bool same = !pieces_.empty() && pieces_.back().strong == strong &&
                      pieces_.back().code == run.code && !blank_;
    const bool within = run.code && !pieces_.empty() && pieces_.back().code;
    const bool seam = blank_ ? !closes(c) : !within && may_break_between(last_, c);
    const bool may_break = pieces_.empty() || (!split && seam);
    if (same && !may_break) {
      pieces_.back().text += letter;
    } else {
      pieces_.push_back({letter, strong, run.code, blank_ && !pieces_.empty(), may_break, split});
    }
    blank_ = false;
    last_ = c;
  }

  std::vector<MarkdownPiece> pieces_;
  bool blank_ = false;
  /// It stands within code
  bool in_code_ = false;
  unsigned last_ = 0;
};

}  // namespace

std::vector<MarkdownPiece> markdown_pieces(const std::vector<MarkdownRun>& runs) {
  return Cutter().cut(runs);
}

}  // namespace lanescope::app
