#include "frontend/text/shared_alignment.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace lanescope {
namespace {

constexpr std::string_view kShared = "__shared__", kAlignment = "alignas";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

/// Behind the ")" of a "(" at `open`; npos where there is none.
std::size_t behind_parentheses(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += (text[at] == '(') - (text[at] == ')');
    if (depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// Where the declaration begins: at `extern` or `static` before its `__shared__`, else there.
std::size_t beginning(std::string_view text, std::size_t shared) {
  std::size_t end = shared;
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
  for (const std::string_view word : {"extern", "static"})
    if (end >= word.size() && text.substr(end - word.size(), word.size()) == word &&
        (end == word.size() || !is_word(text[end - word.size() - 1])))
      return end - word.size();
  return shared;
}

}  // namespace

bool may_align_shared(std::string_view text) {
  return text.find(kShared) != std::string_view::npos &&
         text.find(kAlignment) != std::string_view::npos;
}

std::string with_alignment_first(std::string text) {
  if (!may_align_shared(text)) return text;
  for (std::size_t at = text.find(kShared); at != std::string::npos;
       at = text.find(kShared, at + 1)) {
    const std::size_t alignment = skip_space(text, at + kShared.size());
    if (text.compare(alignment, kAlignment.size(), kAlignment) != 0) continue;
    const std::size_t open = skip_space(text, alignment + kAlignment.size());
    if (open >= text.size() || text[open] != '(') continue;
    const std::size_t end = behind_parentheses(text, open);
    if (end == std::string::npos) continue;
    const auto place = [&text](std::size_t i) {
      return text.begin() + static_cast<std::ptrdiff_t>(i);
    };
    // Lines must stay where they are.
    if (std::find(place(at), place(end), '\n') != place(end)) continue;
    std::rotate(place(beginning(text, at)), place(alignment), place(end));
    at = end - kShared.size();
  }
  return text;
}

}  // namespace lanescope
