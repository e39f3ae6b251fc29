// A lesson's words in one language: Markdown whose headings name scenes and questions. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lanescope/diagnostic.h"

namespace lanescope::app {

/// A piece of Markdown, and the line of the file that it begins in.
struct TextPart {
  std::string text;
  std::uint32_t line = 0;
  [[nodiscard]] bool empty() const { return text.empty(); }
};

struct QuestionText {
  TextPart question, explanation;
  /// By the choice's id
  std::map<std::string, TextPart> labels;
};

struct SceneText {
  TextPart title, text, notes;
  /// By the question's id
  std::map<std::string, QuestionText> questions;
  /// Of its heading
  std::uint32_t line = 0;
};

struct LessonText {
  std::string file;
  TextPart title, summary;
  /// By the scene's id
  std::map<std::string, SceneText> scenes;
};

struct LessonTextResult {
  LessonText text;
  /// Headings that say nothing, digits that nobody computes, a {{ without its }}
  std::vector<Diagnostic> diagnostics;
};
LessonTextResult parse_lesson_text(const std::string& file, const std::string& text);

/// A value that stands in a text as {{expression}}.
struct Placeholder {
  std::string expression;
  /// In the part's text, braces and all
  std::size_t begin = 0, end = 0;
};
std::vector<Placeholder> placeholders_of(const TextPart& part);
/// Where in a Markdown text a number begins that stands in its prose: not in code, not in {{…}}, and not
/// to number a list.
std::vector<std::size_t> numbers_in_prose(const std::string& text);
/// The text with every expression's value in its place.
std::string filled_in(const TextPart& part,
                      const std::function<std::string(const std::string& expression)>& value);
/// The line and the column of a byte of the part, in its file.
void set_place(Diagnostic& diagnostic, const TextPart& part, std::size_t byte);

}  // namespace lanescope::app
