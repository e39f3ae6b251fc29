#include "core/kernel/braced.h"

#include "core/text/text.h"

namespace lanescope::app {
namespace {

/// Of nested lists; nobody writes as many by hand.
constexpr int kMostDepth = 32;

/// Where the value that begins at `at` ends: at a comma or brace of its list, or behind the text.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int open = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '{') ++open;
    if (text[at] == '}' && --open < 0) break;
    if (text[at] == ',' && open == 0) break;
  }
  return at;
}

std::optional<Braced> parse(std::string_view text, int depth) {
  text = trim(text);
  Braced value{std::string(text), text.starts_with('{'), {}};
  if (!value.is_list)
    return text.find_first_of("{}") == std::string_view::npos ? std::optional(value) : std::nullopt;
  if (depth > kMostDepth || end_of_value(text, 0) != text.size() || !text.ends_with('}'))
    return std::nullopt;
  std::string_view rest = trim(text.substr(1, text.size() - 2));
  while (!rest.empty()) {
    const std::size_t end = end_of_value(rest, 0);
    auto item = parse(rest.substr(0, end), depth + 1);
    if (!item || item->text.empty()) return std::nullopt;
    value.items.push_back(std::move(*item));
    if (end < rest.size() && rest[end] != ',') return std::nullopt;
    rest = trim(rest.substr(std::min(end + 1, rest.size())));
  }
  return value;
}

}  // namespace

std::optional<Braced> parse_braced(std::string_view text) { return parse(text, 0); }

}  // namespace lanescope::app
