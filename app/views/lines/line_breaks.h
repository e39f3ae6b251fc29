// Where a line may be broken, in Latin and Chinese: ImGui knows blanks only. Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace lanescope::app {

/// Chinese letters and their punctuation, which no blanks stand between.
bool is_wide(unsigned c);
/// "，。）》" and their like, and Latin punctuation: no line begins with it.
bool closes(unsigned c);
/// "（《“" and their like: no line ends with it.
bool opens(unsigned c);
/// Whether a line may be broken between two characters that no blank stands between.
bool may_break_between(unsigned before, unsigned after);

/// Pixels that a piece of one line takes.
using TextWidth = std::function<float(std::string_view)>;
/// `text` with line feeds where it would be wider than `width` pixels; its own stay. A word that no
/// line has room for is cut. A text without Chinese is returned as it is: ImGui wraps that.
std::string broken_into_lines(std::string_view text, float width, const TextWidth& width_of);

}  // namespace lanescope::app
