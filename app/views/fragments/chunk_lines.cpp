#include "views/fragments/chunk_lines.h"

#include <algorithm>
#include <cmath>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr float kLeastRow = 15, kMostRow = 26, kWidestChunk = 110;  // units

void draw_cell(const ViewContext& ctx, const ChunkCell& cell, float size, ImVec2 min, ImVec2 max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = cell.dim ? mixed(ctx.theme.empty, cell.color, 0.3f) : cell.color;
  list.AddRectFilled(min, max, color);
  if (ctx.theme.outlined) list.AddRect(min, max, ctx.theme.hatch);
  text_in_box(list, ctx.fonts.text, size, 6 * ctx.scale, min, max,
              cell.dim ? ctx.theme.dim : text_on(color), cell.text);
  if (cell.lit) outline(list, min, max, ctx.theme.selection, 2.5f * ctx.scale);
  if (ImGui::IsMouseHoveringRect(min, max) && ImGui::IsWindowHovered()) tooltip(cell.tooltip);
}

}  // namespace

void draw_chunk_lines(const ViewContext& ctx, const std::vector<ChunkLine>& lines,
                      const std::function<ChunkCell(int)>& cell_of, const char* longest, ImVec2 min,
                      ImVec2 size) {
  if (lines.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto chunks = lines.front().chunk.size();
  const float font = ImGui::GetFontSize(), small = std::round(font * 0.75f);
  const float left = ctx.fonts.text->CalcTextSizeA(small, FLT_MAX, 0, "000000").x + 4 * ctx.scale;
  const float top = small * 1.3f, room = size.y - top - font * 1.2f;
  const float cell =
      std::floor(std::min((size.x - left) / static_cast<float>(chunks), kWidestChunk * ctx.scale));
  const auto most = static_cast<std::size_t>(std::max(1.0f, room / (kLeastRow * ctx.scale)));
  const std::size_t shown = std::min(lines.size(), most);
  const float row = std::floor(std::min(room / static_cast<float>(shown), kMostRow * ctx.scale));
  if (cell < 4 || row < 4) return;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const float x = min.x + left + cell * static_cast<float>(chunk);
    text_in_box(list, ctx.fonts.text, small, 5 * ctx.scale, {x, min.y}, {x + cell, min.y + top},
                ctx.theme.dim, tr("banks {0}–{1}", {4 * chunk, 4 * chunk + 3}));
  }
  const float text = fitting_size(ctx.fonts.text, font, cell - 4, row - 2, longest);
  for (std::size_t i = 0; i < shown; ++i) {
    const float y = min.y + top + row * static_cast<float>(i);
    const std::string label = std::to_string(lines[i].number * ChunkLine::kBytes);
    list.AddText(ctx.fonts.text, small, {min.x, y + (row - small) / 2}, ctx.theme.dim,
                 label.c_str());
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const ImVec2 from{min.x + left + cell * static_cast<float>(chunk), y};
      const ImVec2 to{from.x + cell - 1, from.y + row - 1};
      if (lines[i].chunk[chunk] < 0)
        list.AddRectFilled(from, to, ctx.theme.empty);
      else
        draw_cell(ctx, cell_of(lines[i].chunk[chunk]), text, from, to);
    }
  }
  if (shown < lines.size())
    list.AddText(ctx.fonts.text, small,
                 {min.x + left, min.y + top + row * static_cast<float>(shown) + 2}, ctx.theme.dim,
                 tr("{0} more lines", {lines.size() - shown}).c_str());
}

}  // namespace lanescope::app
