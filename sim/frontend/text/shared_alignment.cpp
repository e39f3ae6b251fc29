#include "frontend/text/shared_alignment.h"

#include <algorithm>
#include <vector>

#include "frontend/text/launch_sites.h"

namespace lanescope {
namespace {

/// Behind the parenthesis that closes the one at `i`; the end of all where none does.
std::size_t behind_call(const std::vector<RawToken>& tokens, std::size_t i) {
  for (int depth = 0; i < tokens.size(); ++i) {
    depth += (tokens[i].text == "(") - (tokens[i].text == ")");
    if (depth == 0) return i + 1;
  }
  return i;
}

}  // namespace

std::string with_alignment_first(std::string text) {
  if (text.find("alignas") == std::string::npos) return text;
  const std::vector<RawToken> tokens = raw_tokens(text);
  std::vector<std::size_t> lines{0, 0};  // where each begins, from 1 on
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) lines.push_back(++at);
  const auto offset = [&](const RawToken& token) {
    return static_cast<std::ptrdiff_t>(lines[token.pos.line] + token.pos.column - 1);
  };
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != "__shared__" || tokens[i + 1].text != "alignas" ||
        tokens[i + 2].text != "(")
      continue;
    const std::size_t end = behind_call(tokens, i + 2);
    if (end >= tokens.size()) break;
    const bool has_storage =
        i > 0 && (tokens[i - 1].text == "extern" || tokens[i - 1].text == "static");
    const std::ptrdiff_t from = offset(tokens[has_storage ? i - 1 : i]);
    // "alignas(128)extern __shared__ ": the parenthesis keeps the words apart.
    std::rotate(text.begin() + from, text.begin() + offset(tokens[i + 1]),
                text.begin() + offset(tokens[end - 1]) + 1);
    i = end - 1;
  }
  return text;
}

}  // namespace lanescope
