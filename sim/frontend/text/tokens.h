// A text as the tokens that Clang's lexer sees, without the preprocessor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

/// In clang_frontend.cpp.
struct RawToken {
  std::string text;
  SourcePos pos;
  bool is_identifier = false;
};
std::vector<RawToken> raw_tokens(const std::string& text);

/// 1 for a bracket that opens, -1 for one that closes; template arguments' are none.
inline int bracket_step(std::string_view token) {
  if (token == "(" || token == "[" || token == "{") return 1;
  return token == ")" || token == "]" || token == "}" ? -1 : 0;
}

/// Behind the token that closes what the one at `at` opens; the end of all where none does.
inline std::size_t behind(const std::vector<RawToken>& tokens, std::size_t at,
                          std::string_view open, std::string_view close) {
  for (int depth = 0; at < tokens.size(); ++at) {
    depth += (tokens[at].text == open) - (tokens[at].text == close);
    if (depth == 0) return at + 1;
  }
  return at;
}

/// Positions of a text as offsets in it, in bytes.
class TextOffsets {
 public:
  explicit TextOffsets(std::string_view text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos;)
      lines_.push_back(++at);
  }
  [[nodiscard]] std::size_t of(const SourcePos& at) const {
    return lines_[at.line] + at.column - 1;
  }

 private:
  /// Where each begins, from 1 on
  std::vector<std::size_t> lines_{0, 0};
};

}  // namespace lanescope
