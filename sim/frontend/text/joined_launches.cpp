#include "frontend/text/joined_launches.h"

#include <utility>
#include <vector>

#include "frontend/text/tokens.h"

namespace lanescope {
namespace {

using Tokens = std::vector<RawToken>;

bool are(const Tokens& tokens, std::size_t at, const char* first, const char* second) {
  return at + 1 < tokens.size() && tokens[at].text == first && tokens[at + 1].text == second;
}

/// `operator<< <T>` is a name.
bool opens(const Tokens& tokens, std::size_t at) {
  return at > 0 && tokens[at - 1].text != "operator" &&
         (tokens[at].text == "<<<" || are(tokens, at, "<<", "<"));
}

/// The `>>>` or `>>` that closes what opens at `at`; the end of all where the statement ends before.
std::size_t close_of(const Tokens& tokens, std::size_t at) {
  int depth = 0;
  while (++at < tokens.size()) {
    const std::string& text = tokens[at].text;
    if (depth == 0 && (text == ">>>" || are(tokens, at, ">>", ">"))) return at;
    depth += bracket_step(text);
    if (depth < 0 || text == ";") break;
  }
  return tokens.size();
}

}  // namespace

std::string with_joined_launches(std::string text) {
  if (text.find("<<") == std::string::npos) return text;
  const Tokens tokens = raw_tokens(text);
  const TextOffsets offsets(text);
  const auto join = [&](std::size_t at) {
    if (tokens[at].text.size() == 2)
      std::swap(text[offsets.of(tokens[at].pos) + 2], text[offsets.of(tokens[at + 1].pos)]);
  };
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!opens(tokens, at)) continue;
    const std::size_t close = close_of(tokens, at);
    if (close == tokens.size()) continue;
    join(at);
    join(close);
  }
  return text;
}

}  // namespace lanescope
