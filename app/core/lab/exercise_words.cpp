#include "core/lab/exercise_words.h"

#include <algorithm>
#include <cctype>

#include "core/text/messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"

namespace lanescope::app {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Words {
 public:
  Words(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  WordsResult read() {
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      ++line_;
      take(text_.substr(begin, end - begin));
      begin = end + 1;
    }
    finish();
    if (!has_errors(result_.diagnostics)) result_.words = std::move(words_);
    return std::move(result_);
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with("```")) in_code_ = !in_code_;
    if (!in_code_) look_for_numbers(line);
    if (in_code_ || !line.starts_with('#')) {
      part_->append(line).push_back('\n');
    } else if (line.starts_with("# ") && words_.title.empty()) {
      words_.title = trim(line.substr(2));
      part_ = &words_.task;
    } else if (trim(line) == "## Hint") {
      part_ = &words_.hints.emplace_back();
    } else if (trim(line) == "## Solved") {
      part_ = &words_.solved;
    } else {
      error(1, say::unknown_heading(trim(line)), say::exercise_headings);
    }
  }

  // A count in the prose would stay when the kernel changes; a code span is a quotation.
  void look_for_numbers(std::string_view line) {
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      quoted ^= line[i] == '`';
      if (quoted || !is_digit(line[i]) || (i > 0 && is_name(line[i - 1]))) continue;
      const std::size_t end = static_cast<std::size_t>(
          std::find_if_not(line.begin() + static_cast<std::ptrdiff_t>(i), line.end(), is_digit) -
          line.begin());
      const bool numbers_a_list = trim(line.substr(0, i)).empty() && line.substr(end).starts_with(". ");
      if (!numbers_a_list)
        error(i + 1, say::bare_number(line.substr(i, end - i)), say::quote_numbers);
      i = end - 1;
    }
  }

  void finish() {
    for (std::string* part : {&words_.task, &words_.solved}) *part = trim(*part);
    for (std::string& hint : words_.hints) hint = trim(hint);
    line_ = 1;
    if (words_.title.empty()) error(1, say::words_need_title);
    if (words_.task.empty()) error(1, say::words_need_task);
    const bool empty_hint = std::find(words_.hints.begin(), words_.hints.end(), "") != words_.hints.end();
    if (words_.hints.empty() || empty_hint) error(1, say::words_need_hint, say::exercise_headings);
    if (words_.solved.empty()) error(1, say::words_need_solved, say::exercise_headings);
  }

  void error(std::size_t column, const Message& message, Message hint = {}) {
    Diagnostic wrong = usage_error(file_, message, std::move(hint));
    wrong.line = line_;
    wrong.column = static_cast<std::uint32_t>(column);
    wrong.source_line = line_of(text_, line_);
    result_.diagnostics.push_back(std::move(wrong));
  }

  const std::string& file_;
  std::string_view text_;
  WordsResult result_;
  ExerciseWords words_;
  /// What comes before the title belongs to nothing
  std::string before_;
  std::string* part_ = &before_;
  std::uint32_t line_ = 0;
  bool in_code_ = false;
};

}  // namespace

WordsResult parse_exercise_words(const std::string& file, const std::string& text) {
  return Words(file, text).read();
}

WordsResult read_exercise_words(const std::string& file) {
  TextFile read = read_text_file(file);
  if (!read.diagnostics.empty()) return {std::nullopt, std::move(read.diagnostics)};
  return parse_exercise_words(file, read.text);
}

}  // namespace lanescope::app
