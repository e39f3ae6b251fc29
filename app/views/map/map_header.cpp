// What stands over and beside the index map's panels: name, shape, and the numbers of rows and
// columns.
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/map/index_map.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr float kSmall = 0.85f;  // of the text size, for the less important words

float width_of(ImFont* font, float size, const std::string& text) {
  return font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
}

std::string title_of(const Drawn& drawn) {
  if (!is_threads(drawn.panel.role)) return drawn.panel.name;
  return tr("threads");
}

std::string shape_of(const Drawn& drawn) {
  if (is_threads(drawn.panel.role))
    return fmt::format("{} × {}", drawn.panel.rows, drawn.panel.cols);
  return drawn.panel.role == PanelRole::tile || drawn.panel.tensor
             ? drawn.panel.shape
             : map_window_text(drawn.panel, drawn.panel.box);
}

// What counts along an axis, as far as the text names it.
std::string axis_name(const Drawn& drawn, bool rows) {
  if (!drawn.grid) return {};
  return rows ? drawn.grid->row_name : drawn.grid->col_name;
}

// Every how many cells there is a number, so that numbers of that width keep apart.
std::uint64_t every(float cell, float width) {
  for (const std::uint64_t step : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u})
    if (cell * static_cast<float>(step) >= width) return step;
  return 512;
}

struct Ticks {
  float size = 0;
  ImU32 color = 0;
};

// Of a tensor's pages each counts from 0.
std::uint64_t in_page(std::uint64_t number, std::uint64_t of_page) {
  return of_page == 0 ? number : number % of_page;
}

// "(_,_,2)": over the first column of a page, where pages stand beside each other.
std::string page_text(const MapPanel& panel, std::uint64_t col) {
  const TensorCoordinates at = panel.coordinates(0, col);
  return fmt::format("(_,_,{})", fmt::join(at.begin() + 2, at.begin() + panel.tensor->rank(), ","));
}

void draw_columns(const ViewContext& ctx, const Drawn& drawn, const Ticks& ticks) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::uint64_t end = drawn.window.col + drawn.window.cols;
  const float width = width_of(ctx.fonts.text, ticks.size, std::to_string(end)) * 1.35f;
  const std::uint64_t step = every(drawn.cell, width);
  const MapPanel& panel = drawn.panel;
  float taken = -FLT_MAX;
  for (std::uint64_t c = drawn.window.col; c < end; ++c) {
    const std::uint64_t number = in_page(c, panel.page_cols);
    if (number % step != 0) continue;
    const MapRect cell = rect_of(drawn, CellWindow{drawn.window.row, 1, c, 1});
    if (number == 0 && panel.pages_beside && panel.pages() > 1) {
      const std::string page = page_text(panel, c);
      taken = cell.min.x + width_of(ctx.fonts.text, ticks.size, page) * 1.1f;
      list.AddText(ctx.fonts.text, ticks.size, {cell.min.x, drawn.min.y - ticks.size * 1.12f},
                   ctx.theme.text, page.c_str());
      continue;
    }
    if (cell.min.x < taken) continue;
    const std::string text = std::to_string(number);
    const float x = cell.centre().x - width_of(ctx.fonts.text, ticks.size, text) / 2;
    list.AddText(
        ctx.fonts.text, ticks.size,
        {std::round(std::max(x, drawn.min.x - drawn.cell)), drawn.min.y - ticks.size * 1.12f},
        ticks.color, text.c_str());
  }
}

void draw_rows(const ViewContext& ctx, const Drawn& drawn, const Ticks& ticks) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::uint64_t step = every(drawn.cell, ticks.size * 1.05f);
  for (std::uint64_t r = drawn.window.row; r < drawn.window.row + drawn.window.rows; ++r) {
    const std::uint64_t number = in_page(r, drawn.panel.page_rows);
    if (number % step != 0) continue;
    const MapRect cell = rect_of(drawn, CellWindow{r, 1, drawn.window.col, 1});
    const std::string text = std::to_string(number);
    list.AddText(ctx.fonts.text, ticks.size,
                 {drawn.min.x - width_of(ctx.fonts.text, ticks.size, text) - ticks.size * 0.35f,
                  std::round(cell.centre().y - ticks.size / 2)},
                 ticks.color, text.c_str());
  }
}

// Over and beside a matrix seen from afar: the blocks' own numbers.
void draw_blocks(const ViewContext& ctx, const Drawn& drawn, const Ticks& ticks) {
  const BlockTiling& tiling = *drawn.tiling;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto text_at = [&](ImVec2 at, std::uint64_t number) {
    const std::string text = std::to_string(number);
    list.AddText(ctx.fonts.text, ticks.size,
                 {std::round(at.x - width_of(ctx.fonts.text, ticks.size, text) / 2),
                  std::round(at.y - ticks.size / 2)},
                 ticks.color, text.c_str());
  };
  const auto inside = [](float at, float min, float max) { return at > min && at < max; };
  const std::uint64_t across = every(drawn.cell * static_cast<float>(tiling.cols), ticks.size * 2),
                      down = every(drawn.cell * static_cast<float>(tiling.rows), ticks.size * 1.1f);
  const CellWindow& seen = drawn.window;
  const auto first = [](std::uint64_t block, std::uint64_t step) {
    return (block + step - 1) / step * step;
  };
  for (std::uint64_t c = first(seen.col / tiling.cols, across);
       c * tiling.cols < seen.col + seen.cols; c += across) {
    const float x = rect_of(drawn, CellWindow{0, 1, c * tiling.cols, tiling.cols}).centre().x;
    if (inside(x, drawn.min.x, drawn.max.x)) text_at({x, drawn.min.y - ticks.size * 0.6f}, c);
  }
  for (std::uint64_t r = first(seen.row / tiling.rows, down);
       r * tiling.rows < seen.row + seen.rows; r += down) {
    const float y = rect_of(drawn, CellWindow{r * tiling.rows, tiling.rows, 0, 1}).centre().y;
    if (inside(y, drawn.min.y, drawn.max.y)) text_at({drawn.min.x - ticks.size * 0.8f, y}, r);
  }
}

// Thin bars at the edges that say which part of the whole is seen.
void draw_share(const ViewContext& ctx, const Drawn& drawn) {
  if (!drawn.cut()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const CellWindow whole = drawn.whole(), seen = drawn.window;
  const float thick = 4, off = 4;
  const auto part = [](std::uint64_t at, std::uint64_t from, std::uint64_t all) {
    return static_cast<float>(at - from) / static_cast<float>(std::max<std::uint64_t>(1, all));
  };
  if (seen.cols < whole.cols) {
    const float width = drawn.max.x - drawn.min.x, y = drawn.max.y + off;
    list.AddRectFilled({drawn.min.x, y}, {drawn.max.x, y + thick}, ctx.theme.empty, thick / 2);
    list.AddRectFilled(
        {drawn.min.x + width * part(seen.col, whole.col, whole.cols), y},
        {drawn.min.x + width * part(seen.col + seen.cols, whole.col, whole.cols), y + thick},
        ctx.theme.lane, thick / 2);
  }
  if (seen.rows < whole.rows) {
    const float height = drawn.max.y - drawn.min.y, x = drawn.max.x + off;
    list.AddRectFilled({x, drawn.min.y}, {x + thick, drawn.max.y}, ctx.theme.empty, thick / 2);
    list.AddRectFilled(
        {x, drawn.min.y + height * part(seen.row, whole.row, whole.rows)},
        {x + thick, drawn.min.y + height * part(seen.row + seen.rows, whole.row, whole.rows)},
        ctx.theme.lane, thick / 2);
  }
}

// "wavefront 3 of 4": of the move that is on its way to or from this tile.
std::string tick_text(const IndexMapState& state, const Drawn& drawn) {
  const Journey& journey = *state.journey.journey;
  const auto moment = moment_of(journey, state.play.position);
  if (!moment || drawn.panel.role != PanelRole::tile) return {};
  const JourneyMove& move = journey.moves()[moment->move];
  if (move.ticks < 2 || !in_tile(move.leg)) return {};
  const auto lane = static_cast<std::size_t>(std::countr_zero(move.mask));
  if (!drawn.panel.at(journey.addresses(moment->move)[lane])) return {};
  int tick = 0;
  for (std::uint16_t k = 0; k < move.ticks; ++k)
    tick += lane_progress(move.ticks, k, moment->fraction) > 0;
  return tr("wavefront {0} of {1}", {std::max(1, tick), move.ticks});
}

// "in" and "[0–7][32–63]", or as much of it as there is room for.
void draw_title(const ViewContext& ctx, const IndexMapState& state, const Drawn& drawn, float y,
                float room) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = ImGui::GetFontSize();
  const std::string title = title_of(drawn), row = axis_name(drawn, true),
                    col = axis_name(drawn, false);
  const std::string tick = state.zoomed || ctx.predicting ? std::string() : tick_text(state, drawn);
  const std::string blocks = !state.at_blocks() || !drawn.tiling ? std::string()
                             : drawn.tiling->transposed          ? "blockIdx.x ↓  blockIdx.y →"
                                                                 : "blockIdx.y ↓  blockIdx.x →";
  const std::string more = !blocks.empty()              ? blocks
                           : !tick.empty()              ? tick
                           : row.empty() || col.empty() ? shape_of(drawn)
                                                        : row + " ↓  " + col + " →";
  const ImU32 color = tick.empty() ? ctx.theme.dim : ctx.theme.warning;
  const float name = width_of(ctx.fonts.strong, size, title);
  // Beside the name; where there is no room for both, smaller, and of threads in place of it: which
  // way they are counted says more.
  const auto fitting = [&](float space) {
    return std::min(
        size * kSmall,
        std::floor(size * space / std::max(1.0f, width_of(ctx.fonts.text, size, more))));
  };
  const float beside = fitting(room - name - size * 0.5f), alone = fitting(room);
  const float least = std::max(10.0f, size * 0.6f);
  const bool both = beside >= least;
  const bool instead = !both && alone >= least && (drawn.grid || !tick.empty());
  if (!instead)
    list.AddText(ctx.fonts.strong, size, {drawn.min.x, y}, ctx.theme.text,
                 shortened(title, room * 1.02f).c_str());
  if (both)
    list.AddText(ctx.fonts.text, beside,
                 {drawn.min.x + name + size * 0.5f, y + (size - beside) * 0.8f}, color,
                 more.c_str());
  if (instead)
    list.AddText(ctx.fonts.text, alone, {drawn.min.x, y + (size - alone) * 0.8f},
                 tick.empty() ? ctx.theme.text : color, more.c_str());
}

// Beside tiles that stand one above the other goes the barrier's wall.
bool below_a_tile(const IndexMapState& state, const Drawn& drawn) {
  return drawn.panel.role == PanelRole::tile &&
         std::any_of(state.panels.begin(), state.panels.end(), [&](const Drawn& other) {
           return other.panel.role == PanelRole::tile && other.cell > 0 &&
                  other.max.y < drawn.min.y && other.min.x < drawn.max.x &&
                  drawn.min.x < other.max.x;
         });
}

}  // namespace

float map_title_room(const IndexMapState& state, const Drawn& drawn, float font) {
  const float head = 2.2f * font;  // of title and numbers, above each panel
  if (below_a_tile(state, drawn)) return drawn.max.x - drawn.min.x;
  float end = state.picture_max.x;
  for (const Drawn& other : state.panels) {
    const bool beside = other.min.x > drawn.min.x + 1 && other.cell > 0 &&
                        other.min.y - head < drawn.min.y && other.max.y > drawn.min.y - head;
    // One that begins higher has its numbers of rows beside the title.
    const float gap = (other.min.y < drawn.min.y - head / 2 ? 1.5f : 0.5f) * font;
    if (beside) end = std::min(end, other.min.x - gap);
  }
  return end - drawn.min.x;
}

std::string map_range_text(const MapPanel& panel, const CellWindow& window) {
  const std::string rows = range_text(window.row, window.rows),
                    cols = range_text(window.col, window.cols);
  return panel.tensor ? "(" + rows + "," + cols + ")" : "[" + rows + "][" + cols + "]";
}

std::string map_window_text(const MapPanel& panel, const CellWindow& window) {
  if (panel.tensor && (panel.role == PanelRole::tile || panel.pages() > 1)) return panel.shape;
  if (panel.role == PanelRole::tile) {
    return panel.pitched ? tr("shared, pitch {0}", {panel.cols})
                         : tr("shared, shown {0} a row", {panel.cols});
  }
  if (panel.wrapped)
    return tr("elements {0}", {range_text(window.row * panel.cols, window.rows * panel.cols)});
  return fmt::format("{}  {} × {}", map_range_text(panel, window), window.rows, window.cols);
}

void draw_map_header(const ViewContext& ctx, const IndexMapState& state, const Drawn& drawn) {
  if (drawn.cell <= 0) return;
  const float size = ImGui::GetFontSize();
  Ticks ticks{.size = std::floor(std::clamp(drawn.cell * 0.8f, 9.0f, size * 0.72f)),
              .color = ctx.theme.dim};
  const bool cells = !state.zoomed;
  // The ways go under the words.
  ImGui::GetWindowDrawList()->AddRectFilled(
      {drawn.min.x, drawn.min.y - ticks.size * 1.15f - size * 1.05f}, {drawn.max.x, drawn.min.y},
      faded(ImGui::GetColorU32(ImGuiCol_WindowBg), 0.8f));
  if (cells) {
    draw_columns(ctx, drawn, ticks);
    draw_rows(ctx, drawn, ticks);
    draw_share(ctx, drawn);
  }
  const float above = cells ? ticks.size * 1.15f : size * kSmall * 1.1f;
  const bool blocks = state.at_blocks() && drawn.tiling;
  if (blocks) draw_blocks(ctx, drawn, {std::floor(size * 0.75f), ctx.theme.dim});
  draw_title(ctx, state, drawn, drawn.min.y - above - size * 1.08f,
             map_title_room(state, drawn, size));
  if (cells || blocks) return;
  ImGui::GetWindowDrawList()->AddText(ctx.fonts.text, size * kSmall,
                                      {drawn.min.x, drawn.min.y - above}, ctx.theme.dim,
                                      map_window_text(drawn.panel, drawn.window).c_str());
}

}  // namespace lanescope::app
