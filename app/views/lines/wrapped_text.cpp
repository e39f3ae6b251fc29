#include "views/lines/wrapped_text.h"

#include <cfloat>

#include "imgui_internal.h"
#include "views/lines/line_breaks.h"

namespace lanescope::app {

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

}  // namespace lanescope::app
