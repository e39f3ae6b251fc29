// The field's terms and what they mean. Words that a view shows are underlined with dots where they
// are terms; the pointer on one tells its definition.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "views/draw/view_context.h"

namespace lanescope::app {

struct Term {
  /// English, singular
  const char* word;
  /// English
  const char* definition;
};
std::span<const Term> terms();
/// Null if it is none; `word` in English, singular or plural.
const Term* find_term(std::string_view word);
/// The first term in `text` (English, or the current language) at or after `from`: its place and
/// length, with the plural's s.
struct TermAt {
  const Term* term = nullptr;
  std::size_t begin = 0, length = 0;
};
TermAt next_term(std::string_view text, std::size_t from = 0);
/// Of a text in lines: what of each line belongs to a term, also to one that begins in a line and
/// ends in the next.
std::vector<std::vector<TermAt>> terms_in_lines(const std::vector<std::string_view>& lines);

/// A label in which terms are marked.
void term(const ViewContext& ctx, const char* english);
/// A table's row of headers; of the first `columns`, those that are terms tell them.
void header_row(const ViewContext& ctx, int columns = 99);
/// One header of such a row.
void header_cell(const ViewContext& ctx, const char* name);
/// Underlines every term in a text that has just been drawn at `min`, wrapped at `wrap` pixels (0:
/// not at all), with the current font.
void mark_terms(const ViewContext& ctx, const std::string& text, ImVec2 min, float wrap = 0);
/// Pictures for slides go without the dots.
void show_term_marks(bool on);

}  // namespace lanescope::app
