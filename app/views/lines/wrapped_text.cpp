#include "views/lines/wrapped_text.h"

#include <algorithm>
#include <cfloat>

#include "imgui_internal.h"
#include "views/lines/line_breaks.h"

namespace lanescope::app {
namespace {

constexpr float kTooltipLetters = 30;  // of the font's height, which Chinese letters are wide

}  // namespace

std::string in_lines(const std::string& text, float width) {
  ImFont* font = ImGui::GetFont();
  const float size = ImGui::GetFontSize();
  return broken_into_lines(text, width, [&](std::string_view piece) {
    return font->CalcTextSizeA(size, FLT_MAX, 0, piece.data(), piece.data() + piece.size()).x;
  });
}

void wrapped_text(const std::string& text, float end) {
  const float width = ImGui::CalcWrapWidthForPos(ImGui::GetCursorScreenPos(), end);
  ImGui::PushTextWrapPos(end);
  ImGui::TextUnformatted(in_lines(text, width).c_str());
  ImGui::PopTextWrapPos();
}

void wrapped_dim(const std::string& text, float end) {
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  wrapped_text(text, end);
  ImGui::PopStyleColor();
}

ImVec2 wrapped_size(const std::string& text, float width) {
  return ImGui::CalcTextSize(in_lines(text, width).c_str(), nullptr, false, width);
}

float tooltip_end(float most) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float room = ImGui::GetMainViewport()->WorkSize.x;
  return std::min(most, room - 2 * (style.WindowPadding.x + style.DisplaySafeAreaPadding.x));
}

void tooltip(const std::string& text) {
  if (!ImGui::BeginTooltipEx(ImGuiTooltipFlags_OverridePrevious, ImGuiWindowFlags_None)) return;
  const float start = ImGui::GetCursorPosX();
  wrapped_text(text, start + tooltip_end(kTooltipLetters * ImGui::GetFontSize()));
  ImGui::EndTooltip();
}

void item_tooltip(const char* text) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(text);
}

void item_tooltip(const std::string& text) { item_tooltip(text.c_str()); }

}  // namespace lanescope::app
