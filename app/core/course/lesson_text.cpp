#include "core/course/lesson_text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/course/course_messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

constexpr std::string_view kFence = "```";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What of a Markdown text is code, what a placeholder, and what prose.
class Prose {
 public:
  explicit Prose(const std::string& text) : text_(text) { scan(); }

  std::vector<Placeholder> placeholders;
  /// Where a number begins that stands in the prose
  std::vector<std::size_t> digits;
  /// Where a {{ begins that is not closed
  std::vector<std::size_t> open;

 private:
  void scan() {
    while (at_ < text_.size()) {
      const bool line_starts = at_ == 0 || text_[at_ - 1] == '\n';
      if (line_starts && fence()) continue;
      if (line_starts) skip_list_number();
      if (at_ >= text_.size()) break;
      if (text_.compare(at_, 2, "{{") == 0) {
        placeholder();
      } else if (text_[at_] == '`') {
        code_span();
      } else {
        if (is_digit(text_[at_]) && (at_ == 0 || !is_digit(text_[at_ - 1]))) digits.push_back(at_);
        ++at_;
      }
    }
  }

  // Goes over a block of code.
  bool fence() {
    if (text_.compare(at_, kFence.size(), kFence) != 0) return false;
    const std::size_t close = text_.find("\n```", at_);
    const std::size_t end = close == std::string::npos ? close : text_.find('\n', close + 1);
    at_ = std::min(end, text_.size());
    return true;
  }

  // "1. " at the beginning of a line counts its items, and nothing else.
  void skip_list_number() {
    std::size_t end = std::min(text_.find_first_not_of(' ', at_), text_.size());
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (text_.compare(end, 2, ". ") == 0) at_ = end;
  }

  void placeholder() {
    const std::size_t close = text_.find("}}", at_);
    const std::size_t stray = std::min(text_.find('\n', at_), text_.find("{{", at_ + 2));
    if (close == std::string::npos || stray < close) {
      open.push_back(at_);
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    placeholders.push_back(
        {std::string(trim(std::string_view(text_).substr(at_ + 2, close - at_ - 2))), at_,
         close + 2});
    at_ = close + 2;
  }

  // Values are filled in within it too.
  void code_span() {
    const std::size_t ticks = std::min(text_.find_first_not_of('`', at_), text_.size()) - at_;
    const std::string mark(ticks, '`');
    const std::size_t close = text_.find(mark, at_ + ticks);
    at_ += ticks;
    if (close == std::string::npos) return;
    while (at_ < close) {
      if (text_.compare(at_, 2, "{{") == 0 && text_.find("}}", at_) < close)
        placeholder();
      else
        ++at_;
    }
    at_ = close + ticks;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

/// Reads a text line by line into the part that the last heading opened.
class TextReader {
 public:
  TextReader(const std::string& file, const std::string& text) : text_(text) {
    result_.text.file = file;
  }

  LessonTextResult read() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      std::string line = text_.substr(at, end - at);
      if (line.ends_with('\r')) line.pop_back();
      ++number_;
      if (line.starts_with(kFence)) in_code_ = !in_code_;
      if (in_code_ || !heading(line)) add(line);
      at = end + 1;
    }
    close();
    LessonText& lesson = result_.text;
    for_each_part(lesson, [&](TextPart& part) { check(part); });
    return std::move(result_);
  }

 private:
  template <class Each>
  static void for_each_part(LessonText& lesson, Each each) {
    each(lesson.title), each(lesson.summary);
    for (auto& [id, scene] : lesson.scenes) {
      each(scene.title), each(scene.text), each(scene.notes);
      for (auto& [name, question] : scene.questions) {
        each(question.question), each(question.explanation);
        for (auto& [choice, label] : question.labels) each(label);
      }
    }
  }

  bool heading(const std::string& line) {
    if (line.starts_with("# ")) return lesson_title(trim_copy(line.substr(2)));
    if (line.starts_with("## ")) return scene(trim_copy(line.substr(3)));
    if (line.starts_with("### ")) return within_scene(trim_copy(line.substr(4)));
    return false;
  }

  static std::string trim_copy(const std::string& text) { return std::string(trim(text)); }

  bool lesson_title(std::string title) {
    close();
    if (!result_.text.title.empty()) error(say::second_title, say::one_title);
    result_.text.title = {std::move(title), number_};
    open_ = &result_.text.summary;
    return true;
  }

  bool scene(const std::string& id) {
    close();
    question_ = nullptr;
    const auto [found, fresh] = result_.text.scenes.try_emplace(id);
    if (!fresh) error(say::scene_twice(id), {});
    scene_ = &found->second;
    scene_->line = number_;
    open_ = &scene_->text;
    return true;
  }

  bool within_scene(std::string title) {
    close();
    if (!scene_) {
      error(say::heading_outside_scene(title), say::scenes_begin_with);
      open_ = nullptr;
      return true;
    }
    if (title.starts_with("? ")) {
      question_ = &scene_->questions[trim_copy(title.substr(2))];
      open_ = &question_->question;
    } else if (title.starts_with("! ")) {
      question_ = nullptr;
      open_ = &scene_->questions[trim_copy(title.substr(2))].explanation;
    } else if (title == "Notes") {
      question_ = nullptr;
      open_ = &scene_->notes;
    } else {
      if (!scene_->title.empty()) error(say::heading_unknown(title), say::known_headings);
      scene_->title = {std::move(title), number_};
      open_ = &scene_->text;
    }
    return true;
  }

  void add(const std::string& line) {
    if (!open_) return;
    if (question_ && open_ == &question_->question && !in_code_ && label(line)) return;
    if (open_->text.empty() && trim(line).empty()) return;
    if (open_->text.empty()) open_->line = number_;
    open_->text += line + "\n";
  }

  // "- a: label"
  bool label(const std::string& line) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with("- ") || colon == std::string::npos) return false;
    const std::string id = trim_copy(line.substr(2, colon - 2));
    if (!is_identifier(id)) return false;
    question_->labels[id] = {trim_copy(line.substr(colon + 1)), number_};
    return true;
  }

  void close() {
    if (!open_) return;
    while (!open_->text.empty() && std::isspace(static_cast<unsigned char>(open_->text.back())))
      open_->text.pop_back();
    open_ = nullptr;
  }

  void check(const TextPart& part) {
    const Prose prose(part.text);
    for (const std::size_t digit : prose.digits)
      report(part, digit, say::number_in_prose, say::number_must_be_computed);
    for (const std::size_t open : prose.open) report(part, open, say::brace_not_closed, {});
  }

  void report(const TextPart& part, std::size_t byte, const Message& message, Message hint) {
    Diagnostic diagnostic = usage_error(result_.text.file, message, std::move(hint));
    set_place(diagnostic, part, byte);
    // The part may begin behind a heading's marks, or a label's.
    diagnostic.source_line = line_of(text_, diagnostic.line);
    const std::string own = line_of(part.text, diagnostic.line - part.line + 1);
    const std::size_t shift = diagnostic.source_line.find(own);
    if (shift != std::string::npos) diagnostic.column += static_cast<std::uint32_t>(shift);
    result_.diagnostics.push_back(std::move(diagnostic));
  }

  void error(const Message& message, Message hint) {
    Diagnostic diagnostic = usage_error(result_.text.file, message, std::move(hint));
    diagnostic.line = number_;
    diagnostic.column = 1;
    diagnostic.source_line = line_of(text_, number_);
    result_.diagnostics.push_back(std::move(diagnostic));
  }

  const std::string& text_;
  LessonTextResult result_;
  std::uint32_t number_ = 0;
  bool in_code_ = false;
  SceneText* scene_ = nullptr;
  QuestionText* question_ = nullptr;
  /// Takes the lines that come
  TextPart* open_ = nullptr;
};

}  // namespace

LessonTextResult parse_lesson_text(const std::string& file, const std::string& text) {
  return TextReader(file, text).read();
}

std::vector<Placeholder> placeholders_of(const TextPart& part) {
  return Prose(part.text).placeholders;
}

std::vector<std::size_t> numbers_in_prose(const std::string& text) { return Prose(text).digits; }

std::string filled_in(const TextPart& part,
                      const std::function<std::string(const std::string&)>& value) {
  std::string result;
  std::size_t from = 0;
  for (const Placeholder& placeholder : placeholders_of(part)) {
    result.append(part.text, from, placeholder.begin - from);
    result += value(placeholder.expression);
    from = placeholder.end;
  }
  return result.append(part.text, from);
}

void set_place(Diagnostic& diagnostic, const TextPart& part, std::size_t byte) {
  const std::string_view before = std::string_view(part.text).substr(0, byte);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  diagnostic.line = part.line + static_cast<std::uint32_t>(lines);
  diagnostic.column = static_cast<std::uint32_t>(byte - (before.rfind('\n') + 1)) + 1;
}

}  // namespace lanescope::app
