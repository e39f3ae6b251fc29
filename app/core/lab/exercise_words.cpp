#include "core/lab/exercise_words.h"

#include <algorithm>

#include "core/course/course_messages.h"
#include "core/course/lesson_text.h"
#include "core/lab/lab_messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"

namespace lanescope::app {

namespace {

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
    look_for_numbers();
    finish();
    if (!has_errors(result_.diagnostics)) result_.words = std::move(words_);
    return std::move(result_);
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with("```")) in_code_ = !in_code_;
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

  // A count in the prose would stay when the kernel changes; code is a quotation.
  void look_for_numbers() {
    for (const std::size_t at : numbers_in_prose(std::string(text_))) {
      const std::string_view before = text_.substr(0, at);
      line_ = 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
      error(at - (before.rfind('\n') + 1) + 1, say::number_in_prose, say::quote_numbers);
    }
  }

  void finish() {
    for (std::string* part : {&words_.task, &words_.solved}) *part = trim(*part);
    for (std::string& hint : words_.hints) hint = trim(hint);
    line_ = 1;
    if (words_.title.empty()) error(1, say::words_need_title);
    if (words_.task.empty()) error(1, say::words_need_task);
    const bool empty_hint =
        std::find(words_.hints.begin(), words_.hints.end(), "") != words_.hints.end();
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
