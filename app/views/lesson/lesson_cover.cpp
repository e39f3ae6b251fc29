#include "views/lesson/lesson_cover.h"

#include <algorithm>
#include <sstream>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

// Each of its lines in the middle, over lines of their own where there is no room.
ImVec2 centred_lines(const ViewContext& ctx, const std::string& text, ImVec2 at, float room,
                     float wrap, bool drawn) {
  ImVec2 all{0, 0};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const ImVec2 size = wrapped_size(line, wrap);
    if (drawn)
      ImGui::GetWindowDrawList()->AddText(
          ctx.fonts.text, ImGui::GetFontSize(), {at.x + (room - size.x) / 2, at.y + all.y},
          ctx.theme.text, in_lines(line, wrap).c_str(), nullptr, wrap);
    all = {std::max(all.x, size.x), all.y + size.y};
  }
  return all;
}

}  // namespace

void draw_cover(const ViewContext& ctx) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const ImVec2 end{at.x + space.x, at.y + space.y};
  list.AddRectFilled(at, end, mixed(ctx.theme.canvas, ctx.theme.selection, 0.06f), 6 * ctx.scale);
  hatch(list, at, end, 22 * ctx.scale, faded(ctx.theme.selection, 0.16f));
  const char* title = tr("Predict first");
  const std::string what = std::string(tr("This view would tell.")) + "\n" +
                           tr("Answer the question of the lesson, and it opens.");
  const float large = ImGui::GetFontSize() * 1.7f;
  const ImVec2 size = ctx.fonts.strong->CalcTextSizeA(large, FLT_MAX, 0, title);
  const float wrap = std::min(space.x * 0.8f, 420 * ctx.scale);
  const ImVec2 words = centred_lines(ctx, what, {}, space.x, wrap, false);
  const float top = at.y + std::max(0.0f, (space.y - size.y - words.y - 10 * ctx.scale) / 2);
  const ImVec2 card{at.x + (space.x - std::max(size.x, words.x)) / 2 - 14 * ctx.scale,
                    top - 10 * ctx.scale};
  list.AddRectFilled(card,
                     {card.x + std::max(size.x, words.x) + 28 * ctx.scale,
                      top + size.y + words.y + 16 * ctx.scale},
                     ctx.theme.canvas, 6 * ctx.scale);
  list.AddText(ctx.fonts.strong, large, {at.x + (space.x - size.x) / 2, top}, ctx.theme.selection,
               title);
  centred_lines(ctx, what, {at.x, top + size.y + 4 * ctx.scale}, space.x, wrap, true);
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
