// Where the index map's panels are, how large, and what part of each is seen.
#include <algorithm>
#include <cmath>

#include "views/map/index_map.h"
#include "views/map/map_header.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr float kMaxCell = 26;
constexpr float kTileShare = 0.28f;  // of the width, when matrices are looked at from afar
constexpr double kNearBlock = 26;    // pixels of a block's larger side among its neighbours

void see_window(Drawn& drawn, const CellWindow& window, bool far) {
  if (window != drawn.window || far != drawn.far) drawn.fresh = false;
  drawn.window = window;
  drawn.far = far;
}

// Three columns of panels; cells as large as width and height allow, the same size where they can
// be. Every panel is as large as the block's cells.
void lay_out_block(const ViewContext& ctx, IndexMapState& state, ImVec2 space) {
  const float gap = 30 * ctx.scale;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  MapColumns cols{}, rows{}, count{};
  for (Drawn& drawn : state.panels) {
    const auto k = map_column_of(drawn);
    drawn.where = map_window_text(drawn.panel, drawn.window);
    cols[k] = std::max(cols[k], static_cast<float>(drawn.window.cols));
    rows[k] += static_cast<float>(drawn.window.rows);
    count[k] += 1;
  }
  const float gaps = gap * static_cast<float>((count[0] > 0) + (count[1] > 0) + (count[2] > 0) - 1);
  const MapHeader chosen = choose_map_header(ctx, state, [&](const MapColumns& widths) {
    return widths[0] + widths[1] + widths[2] + gaps <= space.x;
  });
  const float header = map_header_height(chosen);
  const MapColumns words = map_header_widths(ctx, state, chosen);
  const auto size = [&](std::size_t k, float cell) {
    return std::min(cell, (space.y - (header + 6) * count[k]) / std::max(1.0f, rows[k]));
  };
  const auto width = [&](std::size_t k, float cell) {
    return count[k] > 0 ? std::max(cols[k] * size(k, cell), words[k]) : 0.0f;
  };
  const auto total = [&](float cell) {
    float sum = -gap;
    for (std::size_t k = 0; k < 3; ++k) sum += count[k] > 0 ? width(k, cell) + gap : 0;
    return sum;
  };
  float cell = kMaxCell * ctx.scale;
  while (cell > 1.5f && total(cell) > space.x) cell -= cell > 6 ? 1.0f : 0.25f;
  float x = origin.x + std::max(0.0f, (space.x - total(cell)) / 2);
  for (std::size_t k = 0; k < 3; ++k) {
    const float side = size(k, cell), whole = side > 6 ? std::floor(side) : std::max(0.2f, side);
    float y = origin.y;
    for (Drawn& drawn : state.panels) {
      if (map_column_of(drawn) != k) continue;
      drawn.cell = whole;
      drawn.min = {std::round(x), std::round(y + header)};
      drawn.max = {drawn.min.x + whole * static_cast<float>(drawn.window.cols),
                   drawn.min.y + whole * static_cast<float>(drawn.window.rows)};
      drawn.camera = {static_cast<double>(drawn.window.row), static_cast<double>(drawn.window.col),
                      static_cast<double>(whole)};
      y = drawn.max.y + 6;
    }
    if (count[k] > 0) x += width(k, cell) + gap;
  }
}

// The same three columns, each panel as large as there is room; the tile takes less of it.
void place_views(const ViewContext& ctx, IndexMapState& state, ImVec2 space) {
  const float gap = 22 * ctx.scale;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  MapColumns count{};
  for (Drawn& drawn : state.panels) {
    count[map_column_of(drawn)] += 1;
    drawn.where = map_window_text(drawn.panel, drawn.window);
  }
  const float columns = (count[0] > 0) + (count[1] > 0) + (count[2] > 0);
  const bool small = count[1] > 0 && columns > 1;
  const float room = space.x - gap * (columns - 1);
  const float tile = small ? room * kTileShare : 0;
  const float other = (room - tile) / std::max(1.0f, columns - (small ? 1 : 0));
  const MapHeader chosen = choose_map_header(ctx, state, [&](const MapColumns& widths) {
    return std::max(widths[0], widths[2]) <= other && widths[1] <= (small ? tile : other);
  });
  const float header = map_header_height(chosen);
  float x = origin.x;
  for (std::size_t k = 0; k < 3; ++k) {
    if (count[k] == 0) continue;
    const float width = k == 1 && small ? tile : other;
    const float height = space.y / count[k];
    float y = origin.y;
    for (Drawn& drawn : state.panels) {
      if (map_column_of(drawn) != k) continue;
      drawn.min = {std::round(x), std::round(y + header)};
      drawn.max = {std::round(x + width), std::round(y + std::max(header + 8, height - 4))};
      y += height;
    }
    x += width + gap;
  }
}

double most_cell(const ViewContext& ctx) { return 1.6 * static_cast<double>(kMaxCell * ctx.scale); }

CellWindow all_of(const MapPanel& panel) { return {0, panel.rows, 0, panel.cols}; }

// The whole matrix, or so many blocks around the inspected one that each can be seen.
MapCamera neighbourhood(const ViewContext& ctx, const Drawn& drawn) {
  MapCamera camera = fitted(all_of(drawn.panel), drawn.view(), most_cell(ctx));
  const auto side = static_cast<double>(
      std::max<std::uint64_t>(1, std::max(drawn.panel.box.rows, drawn.panel.box.cols)));
  const double wanted = kNearBlock * static_cast<double>(ctx.scale) / side;
  if (camera.cell >= wanted) return camera;
  const CellWindow& box = drawn.panel.box;
  camera.cell = wanted;
  camera.row = static_cast<double>(box.row) + static_cast<double>(box.rows) / 2 -
               drawn.view().height / wanted / 2;
  camera.col = static_cast<double>(box.col) + static_cast<double>(box.cols) / 2 -
               drawn.view().width / wanted / 2;
  return camera;
}

void lay_out_views(const ViewContext& ctx, IndexMapState& state, ImVec2 space) {
  place_views(ctx, state, space);
  for (Drawn& drawn : state.panels) {
    const bool tile = drawn.panel.role == PanelRole::tile;
    const double most = most_cell(ctx);
    if (tile && !drawn.own) {
      drawn.camera =
          fitted(all_of(drawn.panel), drawn.view(), static_cast<double>(kMaxCell * ctx.scale));
    } else if (!tile && (!drawn.own || state.whole_wanted || state.near_wanted)) {
      drawn.camera = state.near_wanted ? neighbourhood(ctx, drawn)
                                       : fitted(all_of(drawn.panel), drawn.view(), most);
      drawn.own = true;
    }
    drawn.camera = held(drawn.camera, drawn.panel.rows, drawn.panel.cols, drawn.view(), most);
    drawn.cell = static_cast<float>(drawn.camera.cell);
    see_window(drawn, seen(drawn.camera, drawn.panel.rows, drawn.panel.cols, drawn.view()),
               drawn.cell < 3 * ctx.scale);
    drawn.where = map_window_text(drawn.panel, drawn.window);
  }
  state.whole_wanted = state.near_wanted = false;
}

}  // namespace

std::optional<MapRect> rect_of(const Drawn& drawn, const Cell& cell) {
  const auto at = drawn.panel.at(cell.address);
  if (!at || !drawn.window.contains(at->row, at->col)) return std::nullopt;
  const auto wide = std::max<std::uint32_t>(1, cell.bytes / drawn.panel.element_bytes);
  MapRect rect = rect_of(drawn, CellWindow{at->row, 1, at->col, wide});
  // From afar a cell is less than a pixel; it should be seen all the same.
  rect.max = {std::max(rect.max.x, rect.min.x + 1.5f), std::max(rect.max.y, rect.min.y + 1.5f)};
  rect.max.x = std::min(rect.max.x, drawn.max.x);
  const ImVec2 centre = rect.centre();
  const bool outside = centre.x < drawn.min.x || centre.y < drawn.min.y || centre.x > drawn.max.x ||
                       centre.y > drawn.max.y;
  return outside ? std::nullopt : std::optional(rect);
}

MapRect rect_of(const Drawn& drawn, const CellWindow& window) {
  const auto x = [&](double col) {
    return static_cast<float>(static_cast<double>(drawn.min.x) +
                              (col - drawn.camera.col) * drawn.camera.cell);
  };
  const auto y = [&](double row) {
    return static_cast<float>(static_cast<double>(drawn.min.y) +
                              (row - drawn.camera.row) * drawn.camera.cell);
  };
  return {{x(static_cast<double>(window.col)), y(static_cast<double>(window.row))},
          {x(static_cast<double>(window.col + window.cols)),
           y(static_cast<double>(window.row + window.rows))}};
}

void lay_out_map(const ViewContext& ctx, IndexMapState& state, ImVec2 space) {
  if (state.zoomed) return lay_out_views(ctx, state, space);
  for (Drawn& drawn : state.panels) drawn.own = false;
  lay_out_block(ctx, state, space);
}

void zoom_map(const ViewContext& ctx, IndexMapState& state, Drawn& at, double factor,
              ImVec2 where) {
  state.zoomed = true;
  const bool tile = at.panel.role == PanelRole::tile;
  const auto limited = [&](const Drawn& drawn) {
    const double least = std::min(
        {drawn.view().width / static_cast<double>(std::max<std::uint64_t>(1, drawn.panel.cols)),
         drawn.view().height / static_cast<double>(std::max<std::uint64_t>(1, drawn.panel.rows)),
         most_cell(ctx)});
    return std::clamp(drawn.camera.cell * factor, least, most_cell(ctx)) / drawn.camera.cell;
  };
  for (Drawn& drawn : state.panels) {
    if ((drawn.panel.role == PanelRole::tile) != tile || (tile && &drawn != &at)) continue;
    double x = static_cast<double>(where.x - drawn.min.x),
           y = static_cast<double>(where.y - drawn.min.y);
    if (&drawn != &at) {
      // The other matrices stay about their block where it can be seen.
      const MapRect box = rect_of(drawn, drawn.panel.box);
      const ImVec2 centre = box.centre();
      const bool in_sight = centre.x > drawn.min.x && centre.x < drawn.max.x &&
                            centre.y > drawn.min.y && centre.y < drawn.max.y;
      x = in_sight ? static_cast<double>(centre.x - drawn.min.x) : drawn.view().width / 2;
      y = in_sight ? static_cast<double>(centre.y - drawn.min.y) : drawn.view().height / 2;
    }
    drawn.camera = zoomed(drawn.camera, limited(drawn), x, y);
    drawn.own = true;
  }
}

void fit_map(IndexMapState& state) {
  state.zoomed = false;
  for (Drawn& drawn : state.panels) drawn.fresh = false;
}

void show_whole_map(IndexMapState& state) {
  state.zoomed = state.whole_wanted = true;
  for (Drawn& drawn : state.panels) drawn.own = false;
}

}  // namespace lanescope::app
