#include "core/why/text_changes.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/text/text.h"

namespace lanescope::app {
namespace {

// Comments and literals blanked out, so that what is found is code. Same length.
std::string code_only(const std::string& text) {
  std::string code = text;
  std::size_t i = 0;
  const auto blank = [&](std::size_t end) {
    for (; i < std::min(end, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  while (i < code.size()) {
    if (text.compare(i, 2, "//") == 0) {
      blank(text.find('\n', i));
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t close = text.find("*/", i + 2);
      blank(close == std::string::npos ? close : close + 2);
    } else if (text[i] == '"') {
      std::size_t close = i + 1;
      while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
      blank(close + 1);
    } else {
      ++i;
    }
  }
  return code;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t find_word(const std::string& code, std::string_view word, std::size_t from) {
  for (std::size_t at = code.find(word, from); at != std::string::npos;
       at = code.find(word, at + 1)) {
    const bool starts = at == 0 || !is_word(code[at - 1]);
    const std::size_t end = at + word.size();
    if (starts && (end == code.size() || !is_word(code[end]))) return at;
  }
  return std::string::npos;
}

/// Where the last two of a reference's subscripts stand: behind "[", and at "]".
struct Subscripts {
  std::size_t row = 0, row_end = 0, column = 0, column_end = 0;
};

/// The "]" that closes a "["; npos if there is none.
std::size_t closing(const std::string& code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    depth += (code[at] == '[') - (code[at] == ']');
    if (depth == 0) return at;
  }
  return std::string::npos;
}

/// Of a reference with exactly so many subscripts behind `at`.
std::optional<Subscripts> subscripts_at(const std::string& code, std::size_t at,
                                        std::size_t count) {
  Subscripts found;
  std::size_t seen = 0;
  for (;; ++seen) {
    const std::size_t open = code.find_first_not_of(" \n", at);
    if (open == std::string::npos || code[open] != '[') break;
    const std::size_t close = closing(code, open);
    if (close == std::string::npos) return std::nullopt;
    found.row = found.column, found.row_end = found.column_end;
    found.column = open + 1, found.column_end = close;
    at = close + 1;
  }
  if (seen != count) return std::nullopt;
  return found;
}

/// What may be computed twice.
bool is_pure(const std::string& text) {
  return text.find("++") == std::string::npos && text.find("--") == std::string::npos &&
         text.find('=') == std::string::npos;
}

bool is_declaration(const std::string& code, std::size_t name) {
  const std::size_t begin = code.find_last_of(";{}", name);
  const std::size_t word = find_word(code, "__shared__", begin == std::string::npos ? 0 : begin);
  return word < name;
}

}  // namespace

std::optional<PaddedText> pad_declaration(const std::string& text, const std::string& array,
                                          int padding) {
  const std::string code = code_only(text);
  if (array.empty()) return std::nullopt;
  for (std::size_t at = find_word(code, "__shared__", 0); at != std::string::npos;
       at = find_word(code, "__shared__", at + 1)) {
    const std::size_t end = std::min(code.find_first_of(";{", at), code.size());
    const std::size_t name = find_word(code, array, at);
    if (name >= end) continue;
    // The extents that follow the name: the last "[…]" of at least two.
    int extents = 0;
    std::size_t open = 0, close = 0, next = name + array.size();
    while (next < end) {
      next = code.find_first_not_of(" \n", next);
      if (next >= end || code[next] != '[') break;
      open = next;
      close = code.find(']', open);
      if (close == std::string::npos) return std::nullopt;
      ++extents;
      next = close + 1;
    }
    if (extents < 2) return std::nullopt;
    std::string extent(trim(text.substr(open + 1, close - open - 1)));
    const bool plain = extent.find_first_of("?<>&|^=,") == std::string::npos;
    if (!plain) extent = "(" + extent + ")";
    PaddedText result;
    result.text =
        fmt::format("{}{} + {}{}", text.substr(0, open + 1), extent, padding, text.substr(close));
    const std::size_t grown = result.text.size() - text.size();
    result.declarator = result.text.substr(name, close + 1 + grown - name);
    return result;
  }
  return std::nullopt;
}

std::optional<std::string> swap_threads(const std::string& text) {
  const std::string code = code_only(text);
  std::string swapped = text;
  bool x = false, y = false;
  for (std::size_t at = find_word(code, "threadIdx", 0); at != std::string::npos;
       at = find_word(code, "threadIdx", at + 1)) {
    const std::size_t axis =
        code.find_first_not_of(" \n.", at + std::string_view("threadIdx").size());
    if (axis == std::string::npos) break;
    if (code[axis] == 'x') swapped[axis] = 'y', x = true;
    if (code[axis] == 'y') swapped[axis] = 'x', y = true;
  }
  if (!x || !y) return std::nullopt;
  return swapped;
}

std::optional<std::string> swizzle_subscripts(const std::string& text, const std::string& array,
                                              std::size_t extents, const RowSwizzle& rows) {
  if (array.empty() || extents < 2) return std::nullopt;
  const std::string code = code_only(text);
  std::vector<Subscripts> references;
  int declarations = 0;
  for (std::size_t at = find_word(code, array, 0); at != std::string::npos;
       at = find_word(code, array, at + 1)) {
    const auto found = subscripts_at(code, at + array.size(), extents);
    if (!found) return std::nullopt;
    if (is_declaration(code, at))
      ++declarations;
    else
      references.push_back(*found);
  }
  if (declarations != 1 || references.empty()) return std::nullopt;
  std::string result = text;
  // From the end, so that what stands before keeps its place.
  std::reverse(references.begin(), references.end());
  for (const Subscripts& at : references) {
    const std::string row(trim(text.substr(at.row, at.row_end - at.row)));
    const std::string column(trim(text.substr(at.column, at.column_end - at.column)));
    if (!is_pure(row) || column.find(array) != std::string::npos) return std::nullopt;
    result.replace(at.column, at.column_end - at.column, swizzled_subscript(rows, row, column));
  }
  return result;
}

}  // namespace lanescope::app
