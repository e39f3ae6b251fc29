// How well a text answers what was typed: the palette's ranking. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace lanescope::app {

/// Higher is better; nullopt: a word of the query is not in the text, not even with gaps. Letters
/// of either case are the same, words may come in any order, spaces do not matter otherwise.
std::optional<int> fuzzy_score(std::string_view query, std::string_view text);

}  // namespace lanescope::app
