// What the index map keeps of a picture: its panels, the block's journey, and what is where at the
// moment.
#include <algorithm>
#include <bit>
#include <cmath>

#include "views/map/index_map.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;

// A zoomed view stays where it is when only a number or the block changes.
void keep_view(const IndexMapState& before, Drawn& drawn) {
  for (const Drawn& old : before.panels) {
    if (old.panel.name != drawn.panel.name || old.panel.rows != drawn.panel.rows ||
        old.panel.cols != drawn.panel.cols)
      continue;
    drawn.camera = old.camera;
    drawn.own = old.own;
  }
}

std::optional<MatrixPlace> output_place(const std::vector<MapPanel>& panels,
                                        std::uint64_t address) {
  for (const MapPanel& panel : panels) {
    if (panel.role != PanelRole::output && panel.role != PanelRole::input) continue;
    const auto at = panel.at(address);
    if (at) return MatrixPlace{at->row, at->col};
  }
  return std::nullopt;
}

void remake_journey(const ViewContext& ctx, MapJourney& made, const std::vector<MapPanel>& panels) {
  made = {};
  made.journey = ctx.picture->journey;
  made.replay = std::make_unique<JourneyReplay>(*made.journey);
  made.threads = block_grid(ctx.picture->prepared->launch.block);
  const auto moves = made.journey->moves();
  if (std::none_of(moves.begin(), moves.end(),
                   [](const JourneyMove& move) { return in_tile(move.leg); }))
    return;
  made.writers = output_grid(*ctx.picture, *made.journey,
                             [&](std::uint64_t address) { return output_place(panels, address); });
  if (!made.writers) made.writers = made.threads;
}

MapPanel thread_panel(PanelRole role, const ThreadGrid& grid) {
  MapPanel panel{.role = role, .name = role == PanelRole::threads ? "threads" : "writers"};
  panel.rows = grid.rows;
  panel.cols = grid.cols;
  panel.box = {0, grid.rows, 0, grid.cols};
  return panel;
}

void remake_panels(const ViewContext& ctx, IndexMapState& state) {
  std::vector<MapPanel> arrays = make_panels(*ctx.picture);
  if (arrays.empty()) return state.panels.clear();
  remake_journey(ctx, state.journey, arrays);
  arrays.push_back(thread_panel(PanelRole::threads, state.journey.threads));
  if (state.journey.writers)
    arrays.push_back(thread_panel(PanelRole::writers, *state.journey.writers));
  std::stable_sort(arrays.begin(), arrays.end(),
                   [](const MapPanel& a, const MapPanel& b) { return a.role < b.role; });
  std::vector<Drawn> panels;
  for (MapPanel& panel : arrays) {
    Drawn drawn;
    if (panel.role == PanelRole::threads) drawn.grid = &state.journey.threads;
    if (panel.role == PanelRole::writers) drawn.grid = &*state.journey.writers;
    drawn.tiling = drawn.grid ? std::nullopt : tiling_of(*ctx.picture, panel);
    drawn.share = touched_share(panel);
    drawn.panel = std::move(panel);
    drawn.texture = std::make_unique<Texture>();
    keep_view(state, drawn);
    panels.push_back(std::move(drawn));
  }
  state.panels = std::move(panels);
  state.play.step = ~std::size_t{0};
  state.play.target.reset();
  state.replayed = ~std::size_t{0};
  state.followed_move = ~std::size_t{0};
}

// The last panel that a move before or at the position reaches; what lies behind it is yet to come.
PanelRole reached_by(const IndexMapState& state) {
  const auto moment = moment_of(*state.journey.journey, state.play.position);
  PanelRole last = PanelRole::threads;
  for (const JourneyStage& stage : state.journey.journey->stages()) {
    if (!moment || stage.first > moment->move) break;
    if (stage.leg == Leg::tile_store) last = std::max(last, PanelRole::tile);
    if (stage.leg == Leg::tile_load) last = std::max(last, PanelRole::writers);
    if (stage.leg == Leg::store) last = std::max(last, PanelRole::output);
  }
  return last;
}

}  // namespace

void rebuild_map(const ViewContext& ctx, IndexMapState& state) {
  if (state.serial == ctx.picture->serial && state.canvas == ctx.theme.canvas) return;
  // The same run in other colours, or with its whole grid counted: the journey stays.
  const bool same = state.trace == ctx.picture->trace() && !state.panels.empty();
  if (!same) remake_panels(ctx, state);
  for (Drawn& drawn : state.panels) drawn.fresh = false;
  state.trace = ctx.picture->trace();
  state.serial = ctx.picture->serial;
  state.canvas = ctx.theme.canvas;
}

void replay_map(IndexMapState& state) {
  const auto done = static_cast<std::size_t>(std::max(0.0, std::floor(state.play.position)));
  const PanelRole reached = reached_by(state);
  if (done == state.replayed && state.colours == state.drawn_colours && reached == state.reached)
    return;
  state.reached = reached;
  state.journey.replay->seek(done);
  state.replayed = done;
  state.drawn_colours = state.colours;
  for (Drawn& drawn : state.panels) drawn.fresh = false;
}

namespace {

void bring_into_sight(Drawn& drawn, std::uint64_t row, std::uint64_t col) {
  const CellWindow whole = drawn.whole();
  if (!whole.contains(row, col)) return;
  const auto moved = [](std::uint64_t first, std::uint64_t shown, std::uint64_t wanted) {
    if (wanted < first || shown == 0) return std::min(first, wanted);
    // Near: no further than needed. Far: with what follows it, as lanes do.
    const std::uint64_t past = wanted - first;
    if (past < shown) return first;
    return past < shown + shown / 2 ? wanted + 1 - shown : wanted;
  };
  drawn.first_row = moved(drawn.first_row, drawn.window.rows, row);
  drawn.first_col = moved(drawn.first_col, drawn.window.cols, col);
}

void show_cell(IndexMapState& state, std::uint64_t address) {
  for (Drawn& drawn : state.panels) {
    if (const auto at = drawn.panel.at(address)) bring_into_sight(drawn, at->row, at->col);
  }
}

std::uint64_t cells_seen(const IndexMapState& state) {
  std::uint64_t cells = 0;
  for (const Drawn& drawn : state.panels) cells += drawn.window.rows * drawn.window.cols;
  return cells;
}

void show_thread(IndexMapState& state, std::uint32_t warp, int lane) {
  for (Drawn& drawn : state.panels) {
    const ThreadGrid::Spot* spot = drawn.grid ? drawn.grid->at(warp, lane) : nullptr;
    if (spot) bring_into_sight(drawn, spot->row, spot->col);
  }
}

}  // namespace

void follow_map_motion(const ViewContext& ctx, IndexMapState& state) {
  // How much is seen is known once it has been laid out, and is another in a window of another size.
  if (const std::uint64_t seen = cells_seen(state); seen != state.followed_in) {
    state.followed_in = seen;
    state.followed_move = ~std::size_t{0};
    state.followed_cell = 0;
  }
  const auto moment = moment_of(*state.journey.journey, state.play.position);
  const std::size_t move = moment ? moment->move : ~std::size_t{0};
  const std::uint64_t cell = ctx.focus.lit.empty() ? 0 : ctx.focus.lit.front().cell.address;
  // Nothing moves under the pointer that points at it.
  const bool here = ImGui::IsMouseHoveringRect(state.picture_min, state.picture_max, false);
  const bool pinned = ctx.selection.hover_lane < 0 && !ctx.selection.hover_cell;
  if (cell != 0 && (pinned || !here) && cell != state.followed_cell) {
    for (const ChainLink& link : ctx.focus.lit) {
      show_cell(state, link.cell.address);
      show_thread(state, link.warp, link.lane);
    }
    if (ctx.selection.race) {
      for (const ChainLink* side : {&ctx.selection.race->other, &ctx.selection.race->named})
        show_thread(state, side->warp, side->lane);
    }
  }
  if (cell == 0 && moment && move != state.followed_move &&
      state.journey.journey->moves()[move].leg != Leg::barrier) {
    const JourneyMove& of = state.journey.journey->moves()[move];
    const int lane = std::countr_zero(of.mask);
    show_cell(state, state.journey.journey->addresses(move)[static_cast<std::size_t>(lane)]);
    show_thread(state, of.warp, lane);
    // And where what it carries comes from.
    const Token token = state.journey.journey->tokens(move, lane).front();
    if (is_element(token)) show_cell(state, token);
  }
  state.followed_cell = cell;
  state.followed_move = move;
}

}  // namespace lanescope::app
