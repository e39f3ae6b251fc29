// Where the index map's panels are, how large, and what part of each is seen.
#include <algorithm>
#include <cmath>

#include "views/map/index_map.h"
#include "views/map/map_stations.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr float kMaxCell = 26;
constexpr float kLargestCell = 40;   // units, when the block fills the view
constexpr float kLeastCell = 14;     // pixels, that a number in it can be read
constexpr float kTileShare = 0.28f;  // of the width, when matrices are looked at from afar
constexpr double kNearBlock = 72;    // pixels of a block's larger side among its neighbours

void see_window(Drawn& drawn, const CellWindow& window, bool far) {
  if (window != drawn.window || far != drawn.far) drawn.fresh = false;
  drawn.window = window;
  drawn.far = far;
}

float tick_size(float cell) { return std::clamp(cell * 0.8f, 9.0f, ImGui::GetFontSize() * 0.72f); }

// What a lecture can be given at a glance: all stations at one scale.
void lay_out_block(const ViewContext& ctx, IndexMapState& state, ImVec2 space) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  std::vector<Station> stations;
  for (const Drawn& drawn : state.panels) {
    const CellWindow whole = drawn.whole();
    stations.push_back({.role = static_cast<int>(drawn.panel.role),
                        .rows = std::max<std::uint64_t>(1, whole.rows),
                        .cols = std::max<std::uint64_t>(1, whole.cols)});
  }
  const float least = kLeastCell, tick = tick_size(least);
  const float bars = 12;  // that say which part is seen
  StationRoom room{.width = space.x - bars,
                   .height = space.y - bars,
                   .header = std::round(ImGui::GetTextLineHeight() * 1.05f + tick * 1.15f),
                   .margin = std::round(tick * 2.2f),
                   .gap = std::max(26.0f, std::min(34 * ctx.scale, space.x * 0.022f)),
                   .least = least,
                   .most = kLargestCell * std::max(1.0f, ctx.scale)};
  const StationPlan plan = state.arrangement.arrange(stations, room, state.overview);
  state.cell = plan.cell;
  state.stacked = plan.arrangement == Arrangement::stack;
  state.turned = plan.arrangement == Arrangement::turn;
  for (std::size_t i = 0; i < stations.size(); ++i) {
    Drawn& drawn = state.panels[i];
    const CellWindow whole = drawn.whole();
    const auto kept = [](std::uint64_t first, std::uint64_t from, std::uint64_t all,
                         std::uint64_t shown) {
      return std::clamp(first, from, from + all - std::min(all, shown));
    };
    drawn.first_row = kept(drawn.first_row, whole.row, whole.rows, stations[i].shown_rows);
    drawn.first_col = kept(drawn.first_col, whole.col, whole.cols, stations[i].shown_cols);
    see_window(drawn,
               {drawn.first_row, std::min(whole.rows, stations[i].shown_rows), drawn.first_col,
                std::min(whole.cols, stations[i].shown_cols)},
               false);
    drawn.cell = plan.cell;
    drawn.min = {std::round(origin.x + stations[i].x), std::round(origin.y + stations[i].y)};
    drawn.max = {drawn.min.x + plan.cell * static_cast<float>(drawn.window.cols),
                 drawn.min.y + plan.cell * static_cast<float>(drawn.window.rows)};
    drawn.camera = {static_cast<double>(drawn.window.row), static_cast<double>(drawn.window.col),
                    static_cast<double>(plan.cell)};
  }
}

// A tile has none either while a block is on its way from matrix to matrix.
bool has_no_place(const IndexMapState& state, const Drawn& drawn) {
  return is_threads(drawn.panel.role) || (state.at_blocks() && drawn.panel.role == PanelRole::tile);
}

// Inputs, tile and outputs, each panel as large as there is room; the tile takes less of it. Threads
// have no place in a matrix and are not seen.
void place_views(const ViewContext& ctx, IndexMapState& state, ImVec2 space) {
  const float gap = 22 * ctx.scale;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  std::array<float, kPanelRoles> count{};
  for (Drawn& drawn : state.panels) {
    drawn.min = drawn.max = origin;
    drawn.cell = 0;
    if (has_no_place(state, drawn))
      see_window(drawn, {}, false);
    else
      count[static_cast<std::size_t>(drawn.panel.role)] += 1;
  }
  constexpr auto kTile = static_cast<std::size_t>(PanelRole::tile);
  const auto columns =
      static_cast<float>(std::count_if(count.begin(), count.end(), [](float n) { return n > 0; }));
  const bool small = count[kTile] > 0 && columns > 1;
  const float room = space.x - gap * (columns - 1);
  const float tile = small ? room * kTileShare : 0;
  const float other = (room - tile) / std::max(1.0f, columns - (small ? 1 : 0));
  const float header = std::round(ImGui::GetTextLineHeight() * 2.1f);
  const float numbers = state.at_blocks() ? ImGui::GetFontSize() * 1.4f : 0;  // beside a matrix
  float x = origin.x;
  for (std::size_t k = 0; k < kPanelRoles; ++k) {
    if (count[k] == 0) continue;
    const float width = k == kTile && small ? tile : other;
    const float height = space.y / count[k];
    float y = origin.y;
    for (Drawn& drawn : state.panels) {
      if (static_cast<std::size_t>(drawn.panel.role) != k || has_no_place(state, drawn)) continue;
      drawn.min = {std::round(x + numbers), std::round(y + header)};
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
    if (has_no_place(state, drawn)) continue;
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
  }
  state.whole_wanted = state.near_wanted = false;
}

// What lies together may stand below each other in a tensor, or anywhere.
CellWindow cells_of(const MapPanel& panel, const Cell& cell, MapPanel::At at) {
  const auto count = std::max<std::uint64_t>(1, cell.bytes / panel.element_bytes);
  if (!panel.tensor) return {at.row, 1, at.col, count};
  const auto end = panel.at(cell.address + (count - 1) * panel.element_bytes);
  if (end && end->row == at.row && end->col - at.col + 1 == count)
    return {at.row, 1, at.col, count};
  if (end && end->col == at.col && end->row - at.row + 1 == count)
    return {at.row, count, at.col, 1};
  return {at.row, 1, at.col, 1};
}

}  // namespace

std::optional<MapRect> rect_of(const Drawn& drawn, const Cell& cell) {
  const auto at = drawn.panel.at(cell.address);
  if (!at || !drawn.window.contains(at->row, at->col)) return std::nullopt;
  MapRect rect = rect_of(drawn, cells_of(drawn.panel, cell, *at));
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

CellWindow IndexMapState::Drawn::whole() const {
  return panel.role == PanelRole::tile ? CellWindow{0, panel.rows, 0, panel.cols} : panel.box;
}

const Drawn* panel_of(const IndexMapState& state, std::uint64_t address) {
  const Drawn* found = nullptr;
  for (const Drawn& drawn : state.panels) {
    const auto at = drawn.panel.at(address);
    if (!at) continue;
    if (drawn.window.contains(at->row, at->col)) return &drawn;
    found = &drawn;
  }
  return found;
}

const Drawn* panel_of(const IndexMapState& state, PanelRole role) {
  for (const Drawn& drawn : state.panels) {
    if (drawn.panel.role == role) return &drawn;
  }
  return nullptr;
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
    if (is_threads(drawn.panel.role)) continue;
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
