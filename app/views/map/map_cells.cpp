// What a panel of the index map shows under the lanes: its cells, or from afar the tiles of blocks.
#include <algorithm>
#include <cmath>

#include "views/draw/widgets.h"
#include "views/map/index_map.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;

ImU32 base_color(const ViewContext& ctx, const MapPanel& panel, std::uint64_t row,
                 std::uint64_t col) {
  if (!panel.is_touched(row, col)) return ctx.theme.empty;
  if (panel.role != PanelRole::tile) return ctx.theme.cell;
  const int bank = static_cast<int>(panel.address(row, col) / kBankBytes % kBanks);
  return mixed(bank_color(bank), ctx.theme.canvas, 0.62f);
}

// The tiles that are seen of a matrix far away, counted in tiles.
CellWindow tiles_in(const Drawn& drawn) {
  const BlockTiling& tiling = *drawn.tiling;
  const CellWindow& window = drawn.window;
  const std::uint64_t row = window.row / tiling.rows, col = window.col / tiling.cols;
  return {row, (window.row + window.rows + tiling.rows - 1) / tiling.rows - row, col,
          (window.col + window.cols + tiling.cols - 1) / tiling.cols - col};
}

// Tiles of less than a few pixels would only flicker: one even area then.
bool tiles_can_be_seen(const ViewContext& ctx, const Drawn& drawn) {
  const auto pixels = [&](std::uint64_t cells) { return drawn.cell * static_cast<float>(cells); };
  return drawn.tiling && pixels(drawn.tiling->rows) >= 4 * ctx.scale &&
         pixels(drawn.tiling->cols) >= 4 * ctx.scale;
}

void refresh_texture(const ViewContext& ctx, Drawn& drawn) {
  if (drawn.fresh) return;
  const CellWindow area = drawn.far ? tiles_in(drawn) : drawn.window;
  if (area.rows == 0 || area.cols == 0) return;
  std::vector<std::uint32_t> pixels;
  pixels.reserve(area.rows * area.cols);
  for (std::uint64_t r = area.row; r < area.row + area.rows; ++r) {
    for (std::uint64_t c = area.col; c < area.col + area.cols; ++c) {
      pixels.push_back(
          drawn.far ? mixed(ctx.theme.empty, ctx.theme.cell, (r + c) % 2 == 0 ? 0.35f : 0.75f)
                    : base_color(ctx, drawn.panel, r, c));
    }
  }
  drawn.texture->upload(static_cast<int>(area.cols), static_cast<int>(area.rows), pixels);
  drawn.fresh = true;
}

void draw_tiles(const ViewContext& ctx, Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const MapRect all = rect_of(drawn, CellWindow{0, drawn.panel.rows, 0, drawn.panel.cols});
  if (tiles_can_be_seen(ctx, drawn)) {
    refresh_texture(ctx, drawn);
    const CellWindow tiles = tiles_in(drawn);
    const MapRect area =
        rect_of(drawn, CellWindow{tiles.row * drawn.tiling->rows, tiles.rows * drawn.tiling->rows,
                                  tiles.col * drawn.tiling->cols, tiles.cols * drawn.tiling->cols});
    list.PushClipRect(all.min, all.max, true);  // the last tiles may reach beyond the matrix
    drawn.texture->draw_sharp(list, area.min, area.max);
    list.PopClipRect();
  } else {
    drawn.fresh = false;
    list.AddRectFilled(all.min, all.max, mixed(ctx.theme.empty, ctx.theme.cell, 0.55f));
  }
  // How much of its box the block touches is how strong its colour is.
  MapRect box = rect_of(drawn, drawn.panel.box);
  const float least = 4 * ctx.scale;
  box.max = {std::max(box.max.x, box.min.x + least), std::max(box.max.y, box.min.y + least)};
  list.AddRectFilled(
      box.min, box.max,
      mixed(ctx.theme.cell, ctx.theme.lane, 0.35f + 0.65f * static_cast<float>(drawn.share)));
  outline(list, box.min, box.max, ctx.theme.text, 1.5f * ctx.scale);
}

void hatch_untouched(const ViewContext& ctx, const Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // Runs of columns that nobody touches in a row are hatched as one.
  const std::uint64_t end_col = drawn.window.col + drawn.window.cols;
  for (std::uint64_t r = drawn.window.row; r < drawn.window.row + drawn.window.rows; ++r) {
    for (std::uint64_t c = drawn.window.col; c < end_col; ++c) {
      std::uint64_t end = c;
      while (end < end_col && !drawn.panel.is_touched(r, end)) ++end;
      if (end == c) continue;
      const MapRect run = rect_of(drawn, CellWindow{r, 1, c, end - c});
      hatch(list, run.min, run.max, 4 * ctx.scale, ctx.theme.hatch);
      c = end;
    }
  }
}

void draw_rules(const ViewContext& ctx, const Drawn& drawn, const MapRect& area) {
  if (drawn.cell < 5) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = drawn.cell < 8 ? faded(ctx.theme.canvas, 0.6f) : ctx.theme.canvas;
  for (std::uint64_t c = 0; c <= drawn.window.cols; ++c) {
    const float x = area.min.x + drawn.cell * static_cast<float>(c);
    list.AddLine({x, area.min.y}, {x, area.max.y}, color);
  }
  for (std::uint64_t r = 0; r <= drawn.window.rows; ++r) {
    const float y = area.min.y + drawn.cell * static_cast<float>(r);
    list.AddLine({area.min.x, y}, {area.max.x, y}, color);
  }
}

}  // namespace

void draw_map_cells(const ViewContext& ctx, Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(drawn.min, drawn.max, true);
  if (drawn.far) {
    draw_tiles(ctx, drawn);
  } else {
    refresh_texture(ctx, drawn);
    const MapRect area = rect_of(drawn, drawn.window);
    drawn.texture->draw_sharp(list, area.min, area.max);
    if (drawn.panel.role == PanelRole::tile) hatch_untouched(ctx, drawn);
    draw_rules(ctx, drawn, area);
  }
  list.PopClipRect();
  // What the block has of this matrix, as one shape: under a transpose it turns.
  if (drawn.panel.role == PanelRole::tile || drawn.far) return;
  const MapRect box = rect_of(drawn, drawn.panel.box);
  list.PushClipRect({drawn.min.x - 3, drawn.min.y - 3}, {drawn.max.x + 3, drawn.max.y + 3}, true);
  list.AddRect({box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}, ctx.theme.dim, 0, 0,
               1.5f * ctx.scale);
  list.PopClipRect();
}

}  // namespace lanescope::app
