#include "frontend/text/shared_alignment.h"

#include <algorithm>
#include <vector>

#include "frontend/text/tokens.h"

namespace lanescope {

std::string with_alignment_first(std::string text) {
  if (text.find("alignas") == std::string::npos) return text;
  const std::vector<RawToken> tokens = raw_tokens(text);
  const TextOffsets offsets(text);
  const auto offset = [&](const RawToken& token) {
    return static_cast<std::ptrdiff_t>(offsets.of(token.pos));
  };
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != "__shared__" || tokens[i + 1].text != "alignas" ||
        tokens[i + 2].text != "(")
      continue;
    const std::size_t end = behind(tokens, i + 2, "(", ")");
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
