// Text in lines as wide as there is room, in Latin and Chinese. Views draw what may be longer than a
// line with this, not with ImGui's own wrapping, which knows no Chinese.
#pragma once

#include <string>

#include "imgui.h"

namespace lanescope::app {

/// As ImGui::TextUnformatted, in lines that end at `end` pixels from the window's left edge; 0: at
/// the right edge of what it holds. For tooltips, which are as wide as their text, give an end.
void wrapped_text(const std::string& text, float end = 0);
/// As ImGui::TextDisabled.
void wrapped_dim(const std::string& text, float end = 0);
/// `text` with line feeds where lines `width` pixels wide are to be broken, in the present font.
std::string in_lines(const std::string& text, float width);
/// What `text` takes in lines `width` pixels wide.
ImVec2 wrapped_size(const std::string& text, float width);

/// Where lines of a tooltip end that are to be `most` pixels wide at most: sooner, if the window is
/// narrower.
float tooltip_end(float most);
/// As ImGui::SetTooltip and ImGui::SetItemTooltip, whose one line leaves the window where it is long.
void tooltip(const std::string& text);
void item_tooltip(const char* text);
void item_tooltip(const std::string& text);

}  // namespace lanescope::app
