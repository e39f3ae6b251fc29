// Of wgmma: A and B in shared memory, in lines of eight chunks of 16 bytes, which are what a wavefront takes.
#include <algorithm>
#include <cmath>

#include "core/matrix/group_places.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/fragments/fragments_view.h"

namespace lanescope::app {
namespace {

constexpr int kChunks = 8;
constexpr float kLeastRow = 15, kMostRow = 26, kWidestChunk = 110;  // units

struct Picture {
  const GroupPlaces* places;
  MatrixRole role;
  /// The row of A or column of B that is lit; −1 for none
  int lit;
};

std::string number(int value) { return std::to_string(value); }

/// "m5 k0–7", "k5 n8–15"
std::string chunk_text(const Picture& of, const GroupChunk& chunk) {
  const char* line = of.role == MatrixRole::a ? "m" : "n";
  const int last = of.places->elements() - 1;
  if (of.places->by_columns())
    return "k" + number(chunk.k) + " " + line + number(chunk.line) + "–" +
           number(chunk.line + last);
  return line + number(chunk.line) + " k" + number(chunk.k) + "–" + number(chunk.k + last);
}

std::string title_of(const Picture& of) {
  const GroupMatrix& matrix = of.places->matrix();
  const std::uint32_t width = swizzle_bytes(matrix.swizzle());
  return std::string(of.role == MatrixRole::a ? "A" : "B") + "  " +
         (width == 0 ? std::string(tr("no swizzle"))
                     : tr("swizzle of {0} bytes", {number(static_cast<int>(width))}));
}

std::string offsets_of(const GroupMatrix& matrix) {
  return tr("from byte {0}, leading {1}, stride {2}",
            {number(static_cast<int>(matrix.start())), number(static_cast<int>(matrix.leading())),
             number(static_cast<int>(matrix.stride()))});
}

/// What stands in a cell: the chunk's first element.
std::string cell_text(const Picture& of, const GroupChunk& chunk) {
  const char* line = of.role == MatrixRole::a ? "m" : "n";
  const std::string m = line + number(chunk.line), k = "k" + number(chunk.k);
  return of.places->by_columns() ? k + " " + m : m + " " + k;
}

void draw_chunk(const ViewContext& ctx, const Picture& of, const GroupChunk& chunk, float size,
                ImVec2 min, ImVec2 max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool lit = of.lit >= 0 && of.places->holds(chunk, of.lit);
  const ImU32 full = bank_color(4 * (chunk.column % kChunks) + 1);
  const ImU32 color = of.lit < 0 || lit ? full : mixed(ctx.theme.empty, full, 0.3f);
  list.AddRectFilled(min, max, color);
  if (ctx.theme.outlined) list.AddRect(min, max, ctx.theme.hatch);
  text_in_box(list, ctx.fonts.text, size, 6 * ctx.scale, min, max,
              of.lit < 0 || lit ? text_on(color) : ctx.theme.dim, cell_text(of, chunk));
  if (lit) outline(list, min, max, ctx.theme.selection, 2.5f * ctx.scale);
  if (ImGui::IsMouseHoveringRect(min, max) && ImGui::IsWindowHovered())
    ImGui::SetTooltip("%s", chunk_text(of, chunk).c_str());
}

void draw_picture(const ViewContext& ctx, const Picture& of, ImVec2 min, ImVec2 size) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize(), small = std::round(font * 0.75f);
  const std::string title = title_of(of);
  list.AddText(ctx.fonts.strong, font, min, ctx.theme.text, title.c_str());
  const float titled =
      ctx.fonts.strong->CalcTextSizeA(font, FLT_MAX, 0, title.c_str()).x + font * 0.8f;
  list.AddText(
      ctx.fonts.text, small, {min.x + titled, min.y + font - small}, ctx.theme.dim,
      shortened(offsets_of(of.places->matrix()), (size.x - titled) * font / small).c_str());
  const float left = ctx.fonts.text->CalcTextSizeA(small, FLT_MAX, 0, "000000").x + 4 * ctx.scale;
  const float top = font * 1.3f + small * 1.3f;
  const float cell = std::floor(std::min((size.x - left) / kChunks, kWidestChunk * ctx.scale));
  const std::vector<GroupPlaces::Line>& lines = of.places->lines();
  const float room = size.y - top - font * 1.2f;
  const auto most = static_cast<std::size_t>(std::max(1.0f, room / (kLeastRow * ctx.scale)));
  const std::size_t shown = std::min(lines.size(), most);
  const float row = std::floor(std::min(room / static_cast<float>(shown), kMostRow * ctx.scale));
  if (cell < 4 || row < 4) return;
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const float x = min.x + left + cell * static_cast<float>(chunk);
    text_in_box(list, ctx.fonts.text, small, 5 * ctx.scale, {x, min.y + font * 1.3f},
                {x + cell, min.y + top}, ctx.theme.dim,
                tr("banks {0}–{1}", {number(4 * chunk), number(4 * chunk + 3)}));
  }
  const float text = fitting_size(ctx.fonts.text, font, cell - 4, row - 2, "k15 n248");
  for (std::size_t i = 0; i < shown; ++i) {
    const float y = min.y + top + row * static_cast<float>(i);
    const std::string label = number(static_cast<int>(lines[i].number * 128));
    list.AddText(ctx.fonts.text, small, {min.x, y + (row - small) / 2}, ctx.theme.dim,
                 label.c_str());
    for (std::size_t chunk = 0; chunk < kChunks; ++chunk) {
      const ImVec2 from{min.x + left + cell * static_cast<float>(chunk), y};
      const ImVec2 to{from.x + cell - 1, from.y + row - 1};
      if (lines[i].chunk[chunk] < 0)
        list.AddRectFilled(from, to, ctx.theme.empty);
      else
        draw_chunk(ctx, of, of.places->chunks()[static_cast<std::size_t>(lines[i].chunk[chunk])],
                   text, from, to);
    }
  }
  if (shown < lines.size())
    list.AddText(ctx.fonts.text, small,
                 {min.x + left, min.y + top + row * static_cast<float>(shown) + 2}, ctx.theme.dim,
                 tr("{0} more lines", {number(static_cast<int>(lines.size() - shown))}).c_str());
}

}  // namespace

void draw_group_memory(const ViewContext& ctx, const FragmentsState& state, ImVec2 size) {
  const GroupStep& step = *state.group;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const FragmentSpot& lit = state.lit();
  int row = -1, column = -1;
  if (lit.kind == FragmentSpot::Kind::element) {
    const MatrixElement at = state.panels.front().element(lit.slot);
    row = 16 * state.group_warp + at.row, column = at.column;
  }
  const float gap = 14 * ctx.scale;
  const float wide = step.a_in_registers ? size.x : (size.x - gap) / 2;
  float x = min.x;
  if (!step.a_in_registers) {
    const GroupPlaces a(step, MatrixRole::a, 16 * state.group_warp, 16);
    draw_picture(ctx, {&a, MatrixRole::a, row}, {x, min.y}, {wide, size.y});
    x += wide + gap;
  }
  const GroupPlaces b(step, MatrixRole::b, 0, step.form.shape.n);
  draw_picture(ctx, {&b, MatrixRole::b, column}, {x, min.y}, {wide, size.y});
  ImGui::Dummy(size);
}

}  // namespace lanescope::app
