// Of wgmma: A and B in shared memory, in lines of eight chunks of 16 bytes, which are what a wavefront takes.
#include <cmath>

#include <fmt/format.h>

#include "core/matrix/group_places.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/fragments/chunk_lines.h"
#include "views/fragments/fragments_view.h"

namespace lanescope::app {
namespace {

constexpr int kChunks = 8;

struct Picture {
  const GroupPlaces* places;
  MatrixRole role;
  /// The row of A or column of B that is lit; −1 for none
  int lit;
  const FragmentsState* state;
};

/// "m5 k0–7", "k5 n8–15"
std::string chunk_text(const Picture& of, const GroupChunk& chunk) {
  const char* line = of.role == MatrixRole::a ? "m" : "n";
  const int last = of.places->elements() - 1;
  if (of.places->by_columns())
    return fmt::format("k{} {}{}–{}", chunk.k, line, chunk.line, chunk.line + last);
  return fmt::format("{}{} k{}–{}", line, chunk.line, chunk.k, chunk.k + last);
}

std::string title_of(const Picture& of) {
  const GroupMatrix& matrix = of.places->matrix();
  const std::uint32_t width = swizzle_bytes(matrix.swizzle());
  return std::string(of.role == MatrixRole::a ? "A" : "B") + "  " +
         (width == 0 ? std::string(tr("no swizzle")) : tr("swizzle of {0} bytes", {width}));
}

std::string offsets_of(const GroupMatrix& matrix) {
  return tr("from byte {0}, leading {1}, stride {2}",
            {matrix.start(), matrix.leading(), matrix.stride()});
}

/// Of an element of the chunk, as it was read; "" where that was not recorded.
std::string element_text(const Picture& of, const GroupChunk& chunk, int index, int digits) {
  const FragmentsState& state = *of.state;
  if (state.held.operands.a.empty()) return {};
  const bool by_columns = of.places->by_columns();
  const int first = of.role == MatrixRole::a ? 16 * state.group_warp : 0;
  const std::uint64_t bits = group_element(*state.group, state.held.operands, of.role,
                                           chunk.line - first + (by_columns ? index : 0),
                                           chunk.k + (by_columns ? 0 : index));
  return shortest(element_value(state.shown.form.type(of.role), bits), digits);
}

std::string chunk_values(const Picture& of, const GroupChunk& chunk) {
  std::string text;
  for (int i = 0; i < of.places->elements(); ++i)
    text += (i == 0 ? "" : "  ") + element_text(of, chunk, i, 5);
  return text;
}

/// What stands in a cell: the chunk's first element.
std::string cell_text(const Picture& of, const GroupChunk& chunk) {
  if (of.state->values && !of.state->held.operands.a.empty()) return element_text(of, chunk, 0, 3);
  const char* line = of.role == MatrixRole::a ? "m" : "n";
  const std::string m = fmt::format("{}{}", line, chunk.line), k = fmt::format("k{}", chunk.k);
  return of.places->by_columns() ? k + " " + m : m + " " + k;
}

ChunkCell cell_of(const Picture& of, const GroupChunk& chunk) {
  const bool lit = of.lit >= 0 && of.places->holds(chunk, of.lit);
  return {.color = bank_color(4 * (chunk.column % kChunks) + 1),
          .text = cell_text(of, chunk),
          .tooltip = chunk_text(of, chunk) + "\n" + chunk_values(of, chunk),
          .lit = lit,
          .dim = of.lit >= 0 && !lit};
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
  draw_chunk_lines(
      ctx, of.places->lines(),
      [&](int chunk) { return cell_of(of, of.places->chunks()[static_cast<std::size_t>(chunk)]); },
      "k15 n248", {min.x, min.y + font * 1.3f}, {size.x, size.y - font * 1.3f});
}

}  // namespace

void draw_group_memory(const ViewContext& ctx, const FragmentsState& state, ImVec2 size) {
  const GroupStep& step = *state.group;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const FragmentSpot& lit = state.lit();
  int row = -1, column = -1;
  if (lit.kind == FragmentSpot::Kind::element) {
    const FragmentPanel& panel = state.panels[static_cast<std::size_t>(lit.panel)];
    const MatrixElement at = panel.element(lit.slot);
    row = 16 * state.group_warp + at.row;
    if (panel.role() == MatrixRole::accumulator) column = at.column;
  }
  const float gap = 14 * ctx.scale;
  const float wide = step.a_in_registers ? size.x : (size.x - gap) / 2;
  float x = min.x;
  if (!step.a_in_registers) {
    const GroupPlaces a(step, MatrixRole::a, 16 * state.group_warp, 16);
    draw_picture(ctx, {&a, MatrixRole::a, row, &state}, {x, min.y}, {wide, size.y});
    x += wide + gap;
  }
  const GroupPlaces b(step, MatrixRole::b, 0, step.form.shape.n);
  draw_picture(ctx, {&b, MatrixRole::b, column, &state}, {x, min.y}, {wide, size.y});
  ImGui::Dummy(size);
}

}  // namespace lanescope::app
