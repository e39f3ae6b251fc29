#include "frontend/text/launch_syntax.h"

#include <algorithm>
#include <vector>

#include "frontend/text/launch_sites.h"

namespace lanescope {
namespace {

using Tokens = std::vector<RawToken>;

/// The `{` of the function that a word before it, such as `__global__`, declares; `tokens.size()` for a
/// declaration without a body and for a variable.
std::size_t body_after(const Tokens& tokens, std::size_t i) {
  while (++i < tokens.size()) {
    const std::string& text = tokens[i].text;
    if (text == "(") i = behind(tokens, i, "(", ")") - 1;
    if (text == ";" || text == "=" || text == "}") break;
    if (text == "{") return i;
  }
  return tokens.size();
}

/// Where the kernel's name before `<<<` begins, its template arguments and namespaces included.
std::size_t name_before(const Tokens& tokens, std::size_t at) {
  std::size_t begin = at;
  if (tokens[begin - 1].text == ">") {
    for (int depth = 0; begin > 0;) {
      --begin;
      depth += (tokens[begin].text == ">") - (tokens[begin].text == "<");
      if (depth == 0) break;
    }
  }
  while (begin > 0 && (tokens[begin - 1].text == "::" ||
                       (tokens[begin - 1].is_identifier &&
                        (begin == at || tokens[begin].text == "<" || tokens[begin].text == "::"))))
    --begin;
  return begin;
}

struct Edit {
  SourcePos at;
  std::size_t length = 0;
  const char* text = "";
};

void add_launches(const Tokens& tokens, std::size_t from, std::size_t to,
                  std::vector<Edit>& edits) {
  for (std::size_t i = from + 1; i < to; ++i) {
    if (tokens[i].text != "<<<") continue;
    const auto end = std::find_if(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                  tokens.begin() + static_cast<std::ptrdiff_t>(to),
                                  [](const RawToken& token) { return token.text == ">>>"; });
    const std::size_t name = name_before(tokens, i);
    if (name == i || end == tokens.begin() + static_cast<std::ptrdiff_t>(to)) continue;
    edits.push_back({tokens[name].pos, 0, "lanescope_nested<"});
    edits.push_back({tokens[i].pos, 3, ">("});
    edits.push_back({end->pos, 3, ")"});
  }
}

std::string edited(const std::string& text, const std::vector<Edit>& edits) {
  const TextOffsets offsets(text);
  std::string out;
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    const std::size_t at = offsets.of(edit.at);
    out.append(text, done, at - done).append(edit.text);
    done = at + edit.length;
  }
  return out.append(text, done);
}

}  // namespace

std::string with_nested_launches(std::string text) {
  if (text.find("<<<") == std::string::npos) return text;
  const Tokens tokens = raw_tokens(text);
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != "__global__" && tokens[i].text != "__device__") continue;
    const std::size_t body = body_after(tokens, i);
    if (body == tokens.size()) continue;
    const std::size_t end = behind(tokens, body, "{", "}");
    add_launches(tokens, body, end, edits);
    i = end - 1;
  }
  return edits.empty() ? text : edited(text, edits);
}

}  // namespace lanescope
