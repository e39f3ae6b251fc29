#include "views/lines/line_breaks.h"

#include <algorithm>

#include "imgui_internal.h"

namespace lanescope::app {
namespace {

// ImGui adds up letters in another order, and would break a line again that is full to the last bit.
constexpr float kSlack = 0.25f;
constexpr unsigned kNoBreak = 0xa0;  // the blank that keeps words together

unsigned next_letter(std::string_view text, std::size_t& at) {
  unsigned c = 0;
  const int bytes = ImTextCharFromUtf8(&c, text.data() + at, text.data() + text.size());
  at += static_cast<std::size_t>(std::max(1, bytes));
  return c;
}

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(' ', at), text.size());
}

// The end of what begins at `at` and may not be broken.
std::size_t end_of_word(std::string_view text, std::size_t at) {
  unsigned last = next_letter(text, at);
  while (at < text.size() && text[at] != ' ') {
    std::size_t behind = at;
    const unsigned c = next_letter(text, behind);
    if (may_break_between(last, c)) break;
    last = c;
    at = behind;
  }
  return at;
}

/// Sets one paragraph, word by word.
class Paragraph {
 public:
  Paragraph(std::string_view text, float width, const TextWidth& width_of)
      : text_(text), width_(width), width_of_(width_of) {}

  std::string set() {
    if (width_of_(text_) <= width_) return std::string(text_);
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t begin = behind_blanks(text_, at);
      if (begin == text_.size()) break;  // blanks behind the last word
      const std::size_t end = end_of_word(text_, begin);
      word(text_.substr(at, begin - at), text_.substr(begin, end - begin));
      at = end;
    }
    return std::move(lines_);
  }

 private:
  void word(std::string_view blanks, std::string_view letters) {
    const float gap = blanks.empty() ? 0 : width_of_(blanks), wide = width_of_(letters);
    if (x_ > 0 && x_ + gap + wide > width_ - kSlack) {
      next_line();
    } else {
      lines_ += blanks;
      x_ += gap;
    }
    if (wide > width_) return cut(letters);
    lines_ += letters;
    x_ += wide;
  }

  // Letter by letter.
  void cut(std::string_view letters) {
    for (std::size_t at = 0; at < letters.size();) {
      const std::size_t begin = at;
      next_letter(letters, at);
      const std::string_view letter = letters.substr(begin, at - begin);
      const float wide = width_of_(letter);
      if (x_ > 0 && x_ + wide > width_ - kSlack) next_line();
      lines_ += letter;
      x_ += wide;
    }
  }

  void next_line() {
    lines_ += '\n';
    x_ = 0;
  }

  std::string_view text_;
  float width_;
  const TextWidth& width_of_;
  std::string lines_;
  float x_ = 0;
};

bool has_wide(std::string_view text) {
  // Nearly all texts are Latin, and asked about in every frame: no wide letter begins with less.
  constexpr unsigned char kLeast = 0xe2;
  if (std::none_of(text.begin(), text.end(), [](unsigned char c) { return c >= kLeast; }))
    return false;
  for (std::size_t at = 0; at < text.size();)
    if (is_wide(next_letter(text, at))) return true;
  return false;
}

}  // namespace

bool is_wide(unsigned c) { return c >= 0x2e80; }

bool closes(unsigned c) {
  static constexpr unsigned kClosing[] = {0xff0c, 0x3002, 0x3001, 0xff1b, 0xff1a, 0xff1f, 0xff01,
                                          0xff09, 0x300b, 0x300d, 0x300f, 0x3011, 0x3015, 0x201d,
                                          0x2019, 0x2026, 0xff5e, 0xff05, '.',    ',',    ';',
                                          ':',    '?',    '!',    ')',    ']',    '%'};
  return std::find(std::begin(kClosing), std::end(kClosing), c) != std::end(kClosing);
}

bool opens(unsigned c) {
  static constexpr unsigned kOpening[] = {0xff08, 0x300a, 0x300c, 0x300e, 0x3010,
                                          0x3014, 0x201c, 0x2018, '(',    '['};
  return std::find(std::begin(kOpening), std::end(kOpening), c) != std::end(kOpening);
}

bool may_break_between(unsigned before, unsigned after) {
  if (before == kNoBreak || after == kNoBreak) return false;
  return (is_wide(before) || is_wide(after)) && !closes(after) && !opens(before);
}

std::string broken_into_lines(std::string_view text, float width, const TextWidth& width_of) {
  if (!(width > 0) || !has_wide(text)) return std::string(text);
  std::string lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines += Paragraph(text.substr(at, end - at), width, width_of).set();
    if (end < text.size()) lines += '\n';
    at = end + 1;
  }
  return lines;
}

}  // namespace lanescope::app
