// What a panel of the index map shows under the lanes: its cells, or from afar the tiles of blocks.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "views/draw/widgets.h"
#include "views/map/map_colours.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr float kLeastNumber = 8;   // pixels, that it can be read
constexpr float kRoomForName = 27;  // pixels of a cell

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

// Where threads of different warps lie beside each other: one run for as long as they do.
CellMarks warp_edges(const ThreadGrid& grid, const CellWindow& window) {
  CellMarks marks;
  const auto warp_at = [&](std::uint64_t row, std::uint64_t col) {
    const int thread =
        grid.thread_at(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col));
    return thread < 0 ? -1 : thread / kLanes;
  };
  const std::uint64_t rows = window.row + window.rows, cols = window.col + window.cols;
  for (std::uint64_t r = window.row + 1; r < rows; ++r) {
    for (std::uint64_t c = window.col; c < cols; ++c) {
      std::uint64_t end = c;
      while (end < cols && warp_at(r - 1, end) != warp_at(r, end)) ++end;
      if (end == c) continue;
      marks.below.push_back({r, 1, c, end - c});
      c = end;
    }
  }
  for (std::uint64_t c = window.col + 1; c < cols; ++c) {
    for (std::uint64_t r = window.row; r < rows; ++r) {
      std::uint64_t end = r;
      while (end < rows && warp_at(end, c - 1) != warp_at(end, c)) ++end;
      if (end == r) continue;
      marks.right.push_back({r, end - r, c, 1});
      r = end;
    }
  }
  return marks;
}

void refresh_texture(const ViewContext& ctx, const IndexMapState& state, Drawn& drawn) {
  if (drawn.fresh) return;
  const CellWindow area = drawn.far ? tiles_in(drawn) : drawn.window;
  drawn.marks = drawn.grid && !drawn.far ? warp_edges(*drawn.grid, area) : CellMarks{};
  if (area.rows == 0 || area.cols == 0) return;
  std::vector<std::uint32_t> pixels;
  pixels.reserve(area.rows * area.cols);
  const ImU32 tiles[] = {mixed(ctx.theme.empty, ctx.theme.cell, 0.35f),
                         mixed(ctx.theme.empty, ctx.theme.cell, 0.75f)};
  for (std::uint64_t r = area.row; r < area.row + area.rows; ++r) {
    for (std::uint64_t c = area.col; c < area.col + area.cols; ++c) {
      pixels.push_back(drawn.far ? tiles[(r + c) % 2] : cell_color(ctx, state, drawn, r, c));
    }
  }
  drawn.texture->upload(static_cast<int>(area.cols), static_cast<int>(area.rows), pixels);
  drawn.fresh = true;
}

void draw_tiles(const ViewContext& ctx, const IndexMapState& state, Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const MapRect all = rect_of(drawn, CellWindow{0, drawn.panel.rows, 0, drawn.panel.cols});
  if (tiles_can_be_seen(ctx, drawn)) {
    refresh_texture(ctx, state, drawn);
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

// Between a tensor's pages.
void draw_page_edges(const ViewContext& ctx, const Drawn& drawn) {
  const MapPanel& panel = drawn.panel;
  if (panel.pages() < 2) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const CellWindow& window = drawn.window;
  const float thick = std::max(1.5f, std::min(3 * ctx.scale, drawn.cell * 0.2f));
  const auto line = [&](const CellWindow& behind) {
    const MapRect rect = rect_of(drawn, behind);
    list.AddLine(rect.min,
                 panel.pages_beside ? ImVec2{rect.min.x, rect.max.y}
                                    : ImVec2{rect.max.x, rect.min.y},
                 ctx.theme.text, thick);
  };
  const std::uint64_t step = panel.pages_beside ? panel.page_cols : panel.page_rows;
  const std::uint64_t first = panel.pages_beside ? window.col : window.row;
  const std::uint64_t count = panel.pages_beside ? window.cols : window.rows;
  for (std::uint64_t at = (first / step + 1) * step; at < first + count; at += step)
    line(panel.pages_beside ? CellWindow{window.row, window.rows, at, 1}
                            : CellWindow{at, 1, window.col, window.cols});
}

// What the block has of a matrix, as one shape: under a transpose it turns. A side beyond which more
// of it lies is left open.
void draw_edges(const ViewContext& ctx, const Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const MapRect box = rect_of(drawn, drawn.whole());
  const float reach = 3;
  list.PushClipRect({drawn.min.x - reach, drawn.min.y - reach},
                    {drawn.max.x + reach, drawn.max.y + reach}, true);
  list.AddRect({box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}, ctx.theme.dim, 0, 0,
               1.5f * ctx.scale);
  list.PopClipRect();
}

const std::vector<CellWindow>& crossed_cells(const IndexMapState& state, Drawn& drawn) {
  if (drawn.marks.crossed) return *drawn.marks.crossed;
  std::vector<CellWindow>& crossed = drawn.marks.crossed.emplace();
  if (drawn.grid || drawn.panel.role == PanelRole::input) return crossed;
  const CellWindow& window = drawn.window;
  for (std::uint64_t r = window.row; r < window.row + window.rows; ++r) {
    for (std::uint64_t c = window.col; c < window.col + window.cols; ++c) {
      if (state.journey.replay->cell(drawn.panel.address(r, c)).token == kGarbage)
        crossed.push_back({r, 1, c, 1});
    }
  }
  return crossed;
}

// What was read from a cell that nobody had stored to is crossed out, for those who see no red.
void cross_garbage(const ViewContext& ctx, const IndexMapState& state, Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = faded(text_on(ctx.theme.error), 0.7f);
  const float in = drawn.cell * 0.25f;
  for (const CellWindow& cell : crossed_cells(state, drawn)) {
    const MapRect rect = rect_of(drawn, cell);
    list.AddLine({rect.min.x + in, rect.min.y + in}, {rect.max.x - in, rect.max.y - in}, ink, 1.5f);
    list.AddLine({rect.min.x + in, rect.max.y - in}, {rect.max.x - in, rect.min.y + in}, ink, 1.5f);
  }
}

std::string lane_text(const ThreadGrid& grid, std::uint64_t row, std::uint64_t col) {
  const int thread =
      grid.thread_at(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col));
  return thread < 0 ? "" : std::to_string(thread % kLanes);
}

// "35,69": the row and the column of the input that a cell's value comes from.
std::string element_text(const IndexMapState& state, const MapPanel& panel, std::uint64_t row,
                         std::uint64_t col) {
  const std::uint64_t address = panel.address(row, col);
  const bool source = panel.role == PanelRole::input && panel.is_touched(row, col);
  const Token token = source ? address : state.journey.replay->cell(address).token;
  for (const Drawn& drawn : state.panels) {
    if (drawn.panel.role != PanelRole::input || !is_element(token)) continue;
    if (const auto at = drawn.panel.at(token)) return fmt::format("{},{}", at->row, at->col);
  }
  return {};
}

// A thread's lane; of an element its name.
const std::vector<std::string>& numbers_of(const IndexMapState& state, Drawn& drawn) {
  std::vector<std::string>& numbers = drawn.marks.numbers;
  if (!numbers.empty()) return numbers;
  const CellWindow& window = drawn.window;
  for (std::uint64_t r = window.row; r < window.row + window.rows; ++r) {
    for (std::uint64_t c = window.col; c < window.col + window.cols; ++c)
      numbers.push_back(drawn.grid ? lane_text(*drawn.grid, r, c)
                                   : element_text(state, drawn.panel, r, c));
  }
  return numbers;
}

// Where there is room.
void draw_numbers(const ViewContext& ctx, const IndexMapState& state, Drawn& drawn) {
  const float size = std::floor(std::min(drawn.cell * 0.68f, ImGui::GetFontSize() * 0.85f));
  if (size < kLeastNumber || (!drawn.grid && drawn.cell < kRoomForName)) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::vector<std::string>& numbers = numbers_of(state, drawn);
  const std::span<const std::uint32_t> grounds = drawn.texture->pixels();
  const CellWindow& window = drawn.window;
  const float alpha = drawn.grid ? 0.75f : 1;
  ImU32 ground = 0, ink = 0;  // neighbours are mostly alike
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i].empty()) continue;
    if (ink == 0 || grounds[i] != ground) ground = grounds[i], ink = faded(text_on(ground), alpha);
    const MapRect rect = rect_of(
        drawn, CellWindow{window.row + i / window.cols, 1, window.col + i % window.cols, 1});
    text_in_box(list, ctx.fonts.text, size, kLeastNumber, rect.min, rect.max, ink, numbers[i]);
  }
}

// Lines between threads of different warps.
void draw_warp_edges(const ViewContext& ctx, const Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float thick = std::max(1.0f, std::min(2 * ctx.scale, drawn.cell * 0.1f));
  const ImU32 color = faded(ctx.theme.text, 0.55f);
  for (const CellWindow& run : drawn.marks.below) {
    const MapRect rect = rect_of(drawn, run);
    list.AddLine(rect.min, {rect.max.x, rect.min.y}, color, thick);
  }
  for (const CellWindow& run : drawn.marks.right) {
    const MapRect rect = rect_of(drawn, run);
    list.AddLine(rect.min, {rect.min.x, rect.max.y}, color, thick);
  }
}

}  // namespace

void draw_map_cells(const ViewContext& ctx, const IndexMapState& state, Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(drawn.min, drawn.max, true);
  if (drawn.far) {
    draw_tiles(ctx, state, drawn);
  } else {
    refresh_texture(ctx, state, drawn);
    const MapRect area = rect_of(drawn, drawn.window);
    drawn.texture->draw_sharp(list, area.min, area.max);
    if (drawn.panel.role == PanelRole::tile) hatch_untouched(ctx, drawn);
    draw_rules(ctx, drawn, area);
  }
  list.PopClipRect();
  if (drawn.far) return;
  if (!state.zoomed) {
    draw_numbers(ctx, state, drawn);
    cross_garbage(ctx, state, drawn);
  }
  draw_edges(ctx, drawn);
  draw_page_edges(ctx, drawn);
  draw_warp_edges(ctx, drawn);
}

}  // namespace lanescope::app
