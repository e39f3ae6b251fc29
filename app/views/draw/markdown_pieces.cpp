#include "views/draw/markdown_pieces.h"

#include <algorithm>

#include "imgui_internal.h"

namespace lanescope::app {
namespace {

bool is_wide(unsigned c) { return c >= 0x2e80; }  // Chinese letters and their punctuation

// "，。、；：？！）》」』】”’" and their like may not begin a line.
bool closes(unsigned c) {
  static constexpr unsigned kClosing[] = {0xff0c, 0x3002, 0x3001, 0xff1b, 0xff1a, 0xff1f,
                                          0xff01, 0xff09, 0x300b, 0x300d, 0x300f, 0x3011,
                                          0x201d, 0x2019, 0x2026, '.',    ',',    ';',
                                          ':',    '?',    '!',    ')',    ']'};
  return std::find(std::begin(kClosing), std::end(kClosing), c) != std::end(kClosing);
}

// "（《「『【“‘" may not end one.
bool opens(unsigned c) {
  static constexpr unsigned kOpening[] = {0xff08, 0x300a, 0x300c, 0x300e, 0x3010,
                                          0x201c, 0x2018, '(',    '['};
  return std::find(std::begin(kOpening), std::end(kOpening), c) != std::end(kOpening);
}

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
    const bool wide_seam = !run.code && (is_wide(c) || is_wide(last_));
    const bool may_break =
        pieces_.empty() || (!split && (((blank_ || wide_seam) && !closes(c) && !opens(last_)) ||
                                       (blank_ && !closes(c))));
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
