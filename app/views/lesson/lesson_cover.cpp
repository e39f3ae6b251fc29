#include "views/lesson/lesson_cover.h"

#include <algorithm>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {

void draw_cover(const ViewContext& ctx) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const ImVec2 end{at.x + space.x, at.y + space.y};
  list.AddRectFilled(at, end, mixed(ctx.theme.canvas, ctx.theme.selection, 0.06f), 6 * ctx.scale);
  hatch(list, at, end, 22 * ctx.scale, faded(ctx.theme.selection, 0.16f));
  const char* title = tr("Predict first");
  const char* what = tr("This view would tell. Answer the question of the lesson, and it opens.");
  const float large = ImGui::GetFontSize() * 1.7f;
  const ImVec2 size = ctx.fonts.strong->CalcTextSizeA(large, FLT_MAX, 0, title);
  const float wrap = std::min(space.x * 0.8f, 420 * ctx.scale);
  const ImVec2 words = wrapped_size(what, wrap);
  const float top = at.y + std::max(0.0f, (space.y - size.y - words.y - 10 * ctx.scale) / 2);
  const ImVec2 card{at.x + (space.x - std::max(size.x, words.x)) / 2 - 14 * ctx.scale,
                    top - 10 * ctx.scale};
  list.AddRectFilled(card,
                     {card.x + std::max(size.x, words.x) + 28 * ctx.scale,
                      top + size.y + words.y + 16 * ctx.scale},
                     ctx.theme.canvas, 6 * ctx.scale);
  list.AddText(ctx.fonts.strong, large, {at.x + (space.x - size.x) / 2, top}, ctx.theme.selection,
               title);
  list.AddText(ctx.fonts.text, ImGui::GetFontSize(),
               {at.x + (space.x - words.x) / 2, top + size.y + 4 * ctx.scale}, ctx.theme.text,
               in_lines(what, wrap).c_str(), nullptr, wrap);
  ImGui::Dummy(space);
}

void draw_blackout(const ViewContext&, LessonState& state) {
  if (!state.black) return;
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::GetForegroundDrawList()->AddRectFilled(
      viewport.Pos, {viewport.Pos.x + viewport.Size.x, viewport.Pos.y + viewport.Size.y},
      IM_COL32(0, 0, 0, 255));
  if (ImGui::IsMouseClicked(0) || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) state.black = false;
}

}  // namespace lanescope::app
