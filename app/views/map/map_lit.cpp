// The way of the lit lane or cell through the index map, the element on it where it is at the moment,
// and the block's way from matrix to matrix.
#include <algorithm>

#include <fmt/format.h>

#include "views/draw/widgets.h"
#include "views/map/map_motion.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;

// A place on the way: a cell, or the thread that holds the value.
struct Stop {
  MapRect rect;
  /// The link of the chain that brings the value here; -1: where it starts
  int link = -1;
  bool thread = false;
};

std::vector<Stop> stops_of(const ViewContext& ctx, const IndexMapState& state) {
  std::vector<Stop> stops;
  for (std::size_t i = 0; i < ctx.focus.lit.size(); ++i) {
    const ChainLink& link = ctx.focus.lit[i];
    const Leg leg = leg_of(access_of(ctx, link), link.cell.address);
    const auto cell = memory_rect(state, link.cell);
    const auto thread = state.zoomed ? std::nullopt : thread_rect(state, leg, link.warp, link.lane);
    const int number = static_cast<int>(i);
    // A load goes on from the cell that the store before it left the value in.
    if (cell && (i == 0 || is_store(leg)))
      stops.push_back({*cell, is_store(leg) ? number : -1, false});
    const bool passes_by = access_of(ctx, link).op == AccessOp::async_copy;
    if (thread && !is_store(leg) && !passes_by) stops.push_back({*thread, number, true});
  }
  return stops;
}

// Whether the journey has come past a link of the chain.
bool is_done(const ViewContext& ctx, const IndexMapState& state, int link) {
  if (link < 0) return true;
  const ChainLink& of = ctx.focus.lit[static_cast<std::size_t>(link)];
  const auto move = state.journey.journey->move_at(of.warp, of.step);
  return move && static_cast<double>(*move) + 1 <= state.play.position;
}

// Above a panel stand its name and the numbers of its columns.
bool covers_header(const IndexMapState& state, ImVec2 at, float top) {
  return std::any_of(state.panels.begin(), state.panels.end(), [&](const Drawn& drawn) {
    return at.x >= drawn.min.x && at.x <= drawn.max.x && at.y >= drawn.min.y &&
           at.y <= drawn.max.y && top < drawn.min.y;
  });
}

void draw_name(const ViewContext& ctx, IndexMapState& state, ImVec2 at, float above) {
  const ChainLink& first = ctx.focus.lit.front();
  const std::string name = locate(*ctx.picture, first.cell.address).text();
  if (name.empty()) return;
  const float size = ImGui::GetFontSize() * 0.9f, pad = size * 0.3f;
  const ImVec2 extent = ctx.fonts.strong->CalcTextSizeA(size, FLT_MAX, 0, name.c_str());
  ImVec2 min{at.x - extent.x / 2 - pad, at.y - above - extent.y - 2 * pad};
  min.x = std::clamp(min.x, state.picture_min.x,
                     std::max(state.picture_min.x, state.picture_max.x - extent.x - 2 * pad));
  if (covers_header(state, at, min.y)) min.y = at.y + above + pad;
  min.y = std::max(min.y, state.picture_min.y);
  const ImVec2 max{min.x + extent.x + 2 * pad, min.y + extent.y + pad};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, max, ctx.theme.selection, size * 0.25f);
  state.name = {min, max};
  list.AddText(ctx.fonts.strong, size, {min.x + pad, min.y + pad / 2}, text_on(ctx.theme.selection),
               name.c_str());
}

// The element that is followed, where it is: at its last stop, or under way from it.
void draw_element(const ViewContext& ctx, IndexMapState& state, const std::vector<Stop>& stops) {
  const float above = state.cell * 0.6f;
  if (const auto moment = moment_of(*state.journey.journey, state.play.position);
      moment && moment->fraction < 1) {
    const JourneyMove& move = state.journey.journey->moves()[moment->move];
    for (const ChainLink& link : ctx.focus.lit) {
      if (link.warp != move.warp || link.step != move.step || move.leg == Leg::barrier) continue;
      const auto way = way_of(state, moment->move, link.lane);
      if (!way) return;
      const auto served =
          served_in(*state.journey.journey, moment->move, move.leg == Leg::tile_load);
      const ImVec2 at = way->at(
          lane_progress(move.ticks, served[static_cast<std::size_t>(link.lane)], moment->fraction));
      const float r = std::max(7.0f, state.cell * 0.55f);
      outline(*ImGui::GetWindowDrawList(), {at.x - r, at.y - r}, {at.x + r, at.y + r},
              ctx.theme.selection, 2.5f * ctx.scale);
      return draw_name(ctx, state, at, above);
    }
  }
  const Stop* here = nullptr;
  for (const Stop& stop : stops) {
    if (is_done(ctx, state, stop.link)) here = &stop;
  }
  if (here) draw_name(ctx, state, here->rect.centre(), above);
}

ImVec2 between(ImVec2 a, ImVec2 b, float t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

MapRect cut(const MapRect& rect, const Drawn& drawn) {
  return {{std::clamp(rect.min.x, drawn.min.x, drawn.max.x),
           std::clamp(rect.min.y, drawn.min.y, drawn.max.y)},
          {std::clamp(rect.max.x, drawn.min.x, drawn.max.x),
           std::clamp(rect.max.y, drawn.min.y, drawn.max.y)}};
}

}  // namespace

void draw_map_lit(const ViewContext& ctx, IndexMapState& state) {
  state.name.reset();
  if (ctx.focus.lit.empty() || state.at_blocks()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::vector<Stop> stops = stops_of(ctx, state);
  // Where it goes may be what a lesson asks: until it is answered, the threads alone are shown.
  for (std::size_t i = 1; i < stops.size() && !ctx.predicting; ++i) {
    const bool done = state.zoomed || is_done(ctx, state, stops[i].link);
    const ImVec2 from = stops[i - 1].rect.centre(), to = stops[i].rect.centre();
    list.AddLine(from, to, faded(ctx.theme.canvas, done ? 1 : 0.5f), 4.5f * ctx.scale);
    arrow(list, from, to, faded(ctx.theme.selection, done ? 1 : 0.45f), 2.2f * ctx.scale);
  }
  for (const Stop& stop : stops) {
    if (ctx.predicting && !stop.thread) continue;
    const bool done = state.zoomed || is_done(ctx, state, stop.link);
    outline(list, stop.rect.min, stop.rect.max, faded(ctx.theme.selection, done ? 1 : 0.6f),
            (done ? 2.5f : 1.2f) * ctx.scale);
  }
  for (const ChainLink& link : ctx.focus.lit) {
    if (memory_rect(state, link.cell))
      ctx.lit.add("index_map", ctx.focus.lit_lane, link.cell.address);
  }
  if (!state.zoomed && !ctx.predicting) draw_element(ctx, state, stops);
}

void draw_map_block_way(const ViewContext& ctx, const IndexMapState& state) {
  const Drawn *from = panel_of(state, PanelRole::input), *to = panel_of(state, PanelRole::output);
  if (!from || !to || !state.at_blocks()) return;
  const MapRect a = cut(rect_of(*from, from->panel.box), *from);
  const MapRect b = cut(rect_of(*to, to->panel.box), *to);
  const auto t = static_cast<float>(1 + state.play.position);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 start{a.max.x, a.centre().y}, end{b.min.x, b.centre().y};
  list.AddLine(start, end, faded(ctx.theme.selection, 0.3f), 1.5f * ctx.scale);
  outline(list, a.min, a.max, ctx.theme.selection, 2 * ctx.scale);
  outline(list, b.min, b.max, faded(ctx.theme.selection, 0.5f), 1.2f * ctx.scale);
  const float eased = t * t * (3 - 2 * t);
  const ImVec2 min = between(a.min, b.min, eased), max = between(a.max, b.max, eased);
  list.AddRectFilled(min, max, faded(ctx.theme.selection, 0.35f));
  outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
  const Dim3 block = ctx.focus.trace->block;
  const std::string name = fmt::format("({}, {})", block.x, block.y);
  const float size = ImGui::GetFontSize();
  list.AddText(ctx.fonts.strong, size, {max.x + 4, (min.y + max.y - size) / 2}, ctx.theme.text,
               name.c_str());
}

}  // namespace lanescope::app
