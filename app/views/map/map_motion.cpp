#include "views/map/map_motion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/map/map_colours.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr float kDoor = 20;    // pixels from the tile to the lanes that wait for it
constexpr float kFlashes = 3;  // of an empty cell that is read, in a move

ImVec2 towards(ImVec2 a, ImVec2 b, float t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

// The barrier stands open from the moment it is passed until something is brought to the tile again.
float opening(const IndexMapState& state, std::optional<MapMoment> moment) {
  if (!moment) return 0;
  const auto moves = state.journey.journey->moves();
  if (moves[moment->move].leg == Leg::barrier) return moment->fraction;
  const auto stages = state.journey.journey->stages();
  for (std::size_t i = state.journey.journey->stage_of(moment->move) + 1; i-- > 0;) {
    if (stages[i].leg == Leg::barrier) return 1;
    if (stages[i].leg == Leg::load || stages[i].leg == Leg::tile_store) return 0;
  }
  return 0;
}

std::optional<MapRect> tile_rect(const IndexMapState& state) {
  std::optional<MapRect> all;
  for (const Drawn& drawn : state.panels) {
    if (drawn.panel.role != PanelRole::tile) continue;
    if (!all) all = MapRect{drawn.min, drawn.max};
    all->min = {std::min(all->min.x, drawn.min.x), std::min(all->min.y, drawn.min.y)};
    all->max = {std::max(all->max.x, drawn.max.x), std::max(all->max.y, drawn.max.y)};
  }
  return all;
}

// The warps that have come to it, as flags along the wall, and how many they are.
void draw_waiting(const ViewContext& ctx, const IndexMapState& state, ImVec2 at, float unit) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::uint32_t count = 0;
  const std::uint32_t warps = state.journey.journey->warps();
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    if (!state.journey.replay->waits(warp)) continue;
    ++count;
  }
  if (count == 0) return;
  const std::string text = fmt::format("{}/{}", count, warps);
  list.AddText(ctx.fonts.text, unit, at, ctx.theme.text, text.c_str());
}

void draw_barrier(const ViewContext& ctx, const IndexMapState& state,
                  std::optional<MapMoment> moment) {
  const auto stages = state.journey.journey->stages();
  const bool any = std::any_of(stages.begin(), stages.end(),
                               [](const JourneyStage& stage) { return stage.leg == Leg::barrier; });
  const std::optional<MapRect> tile = tile_rect(state);
  if (!any || !tile) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float open = opening(state, moment), thick = std::max(4.0f, 4 * ctx.scale), off = 12;
  const bool flat = state.turned;
  const ImVec2 a =
      flat ? ImVec2{tile->min.x, tile->max.y + off} : ImVec2{tile->max.x + off, tile->min.y};
  const ImVec2 b =
      flat ? ImVec2{tile->max.x, tile->max.y + off} : ImVec2{tile->max.x + off, tile->max.y};
  const ImVec2 half{(b.x - a.x) / 2, (b.y - a.y) / 2};
  const float closed = std::max(0.06f, 1 - open);  // posts stay where it stood
  const auto wing = [&](ImVec2 from, float way) {
    const ImVec2 to{from.x + half.x * closed * way, from.y + half.y * closed * way};
    list.AddLine(from, to, ctx.theme.canvas, thick + 3);
    list.AddLine(from, to, ctx.theme.barrier, thick);
  };
  wing(a, 1), wing(b, -1);
  const float unit = ImGui::GetFontSize() * 0.75f;
  if (open < 1)
    draw_waiting(ctx, state,
                 flat ? ImVec2{b.x + 4, b.y - unit / 2} : ImVec2{a.x - unit * 0.5f, b.y + 3}, unit);
}

// Without a number where no lane is on its way.
void draw_badge(const ViewContext& ctx, ImVec2 at, float side, ImU32 color, int lane, float alpha) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float r = side / 2;
  const ImVec2 min{at.x - r, at.y - r}, max{at.x + r, at.y + r};
  list.AddRectFilled({min.x - 1.5f, min.y - 1.5f}, {max.x + 1.5f, max.y + 1.5f},
                     faded(ctx.theme.canvas, alpha), r * 0.6f);
  list.AddRectFilled(min, max, faded(color, alpha), r * 0.5f);
  if (lane >= 0)
    text_in_box(list, ctx.fonts.text, side * 0.78f, 7, min, max, faded(text_on(color), alpha),
                std::to_string(lane));
}

// A cell that is read before anybody has stored to it.
void flash(const ViewContext& ctx, const MapRect& cell, float fraction) {
  const float wave = 0.5f - 0.5f * std::cos(fraction * kFlashes * 6.2831853f);
  const float alpha = fraction >= 1 ? 0.85f : 0.35f + 0.65f * wave;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(cell.min, cell.max, faded(ctx.theme.error, alpha));
  outline(list, cell.min, cell.max, ctx.theme.error, 2);
}

ImU32 color_of(const ViewContext& ctx, const IndexMapState& state, const MapMoment& moment,
               int lane) {
  const Journey& journey = *state.journey.journey;
  if ((journey.moves()[moment.move].empty >> lane & 1u) != 0) return ctx.theme.error;
  return token_color(ctx, state, journey.tokens(moment.move, lane).front());
}

// Where the lanes of a conflict wait: in a line along the tile's edge that faces them, those of one
// wavefront side by side. It moves up with every wavefront.
class Queue {
 public:
  Queue(const MapRect& tile, const MapRect& threads, float side, std::uint16_t ticks, float now)
      : side_(side), now_(now) {
    const ImVec2 a = tile.centre(), b = threads.centre();
    // Beside the tile where the threads are; below it where they are below.
    upright_ = threads.min.x >= tile.max.x || threads.max.x <= tile.min.x;
    const bool after = upright_ ? b.x > a.x : b.y > a.y;
    const float off = kDoor + side / 2;
    start_ = upright_ ? ImVec2{after ? tile.max.x + off : tile.min.x - off, tile.min.y + side / 2}
                      : ImVec2{tile.min.x + side / 2, after ? tile.max.y + off : tile.min.y - off};
    out_ = after ? 1.0f : -1.0f;
    const float length = upright_ ? tile.max.y - tile.min.y : tile.max.x - tile.min.x;
    spacing_ = std::min(side * 1.1f, std::max(side * 0.62f, length / static_cast<float>(ticks)));
  }
  // `beside`: how many of the same wavefront come before it.
  [[nodiscard]] ImVec2 spot(std::uint16_t served, int beside) const {
    const float along = std::max(0.0f, static_cast<float>(served) - now_) * spacing_;
    const float away = static_cast<float>(beside) * side_ * 1.1f * out_;
    return upright_ ? ImVec2{start_.x + away, start_.y + along}
                    : ImVec2{start_.x + along, start_.y + away};
  }

 private:
  ImVec2 start_;
  bool upright_ = true;
  float side_, now_, out_ = 1, spacing_ = 1;
};

// The line at the tile that a move goes to or comes from.
std::optional<Queue> queue_of(const IndexMapState& state, const MapMoment& moment, float side) {
  const Journey& journey = *state.journey.journey;
  const JourneyMove& move = journey.moves()[moment.move];
  const auto lane = static_cast<std::size_t>(std::countr_zero(move.mask));
  const Drawn* tile = panel_of(state, journey.addresses(moment.move)[lane]);
  const bool out = move.leg == Leg::tile_load && state.journey.writers;
  const Drawn* threads = panel_of(state, out ? PanelRole::writers : PanelRole::threads);
  if (!tile || !threads) return std::nullopt;
  return Queue({tile->min, tile->max}, {threads->min, threads->max}, side, move.ticks,
               wavefront_at(move.ticks, moment.fraction));
}

void draw_conflict(const ViewContext& ctx, const IndexMapState& state, const MapMoment& moment,
                   float side) {
  const JourneyMove& move = state.journey.journey->moves()[moment.move];
  const std::optional<Queue> queue = queue_of(state, moment, side);
  if (!queue) return;
  const auto served = served_in(*state.journey.journey, moment.move, move.leg == Leg::tile_load);
  const float now = wavefront_at(move.ticks, moment.fraction);
  std::array<int, kLanes> beside{};
  // From the last to the first, so that who is served next is in front.
  for (int lane = kLanes; lane-- > 0;) {
    if ((move.mask >> lane & 1u) == 0) continue;
    const auto way = way_of(state, moment.move, lane);
    const std::uint16_t own = served[static_cast<std::size_t>(lane)];
    const ImVec2 spot = queue->spot(own, beside[own % kLanes]++);
    const ImU32 color = color_of(ctx, state, moment, lane);
    const bool stores = is_store(move.leg);
    if (way && (move.empty >> lane & 1u) != 0) flash(ctx, way->from, moment.fraction);
    const float along = lane_progress(move.ticks, own, moment.fraction);
    if (along > 0 && way) {
      draw_badge(ctx, towards(stores ? spot : way->from.centre(), way->to.centre(), along), side,
                 color, lane, 1);
    } else if (along <= 0) {
      // On its way into the queue; who reads has nothing in hand yet.
      const ImVec2 home = !way ? spot : stores ? way->from.centre() : way->to.centre();
      draw_badge(ctx, towards(home, spot, std::clamp(now, 0.0f, 1.0f)), side,
                 stores ? color : ctx.theme.warning, lane, 1);
    }
  }
}

void draw_badges(const ViewContext& ctx, const IndexMapState& state, const MapMoment& moment) {
  const JourneyMove& move = state.journey.journey->moves()[moment.move];
  const auto served = served_in(*state.journey.journey, moment.move, move.leg == Leg::tile_load);
  const float side = std::clamp(state.cell * 0.92f, 9.0f, 26 * std::max(1.0f, ctx.scale));
  if (move.ticks > 1 && moment.fraction < 1) return draw_conflict(ctx, state, moment, side);
  for (LaneMask rest = move.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto way = way_of(state, moment.move, lane);
    if (!way) continue;
    if ((move.empty >> lane & 1u) != 0) flash(ctx, way->from, moment.fraction);
    const float along =
        lane_progress(move.ticks, served[static_cast<std::size_t>(lane)], moment.fraction);
    draw_badge(ctx, way->at(along), side, color_of(ctx, state, moment, lane), move.part ? -1 : lane,
               1);
  }
}

// The cells that the lanes move between.
void draw_ends(const ViewContext& ctx, const IndexMapState& state, const MapMoment& moment) {
  const JourneyMove& move = state.journey.journey->moves()[moment.move];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float thick = std::max(1.0f, state.cell * 0.1f);
  for (LaneMask rest = move.mask; rest != 0; rest &= rest - 1) {
    const auto way = way_of(state, moment.move, std::countr_zero(rest));
    if (!way) continue;
    for (const MapRect& rect : {way->from, way->to})
      list.AddRect(rect.min, rect.max, ctx.theme.text, 0, 0, thick);
  }
}

}  // namespace

const AccessInfo& access_of(const ViewContext& ctx, const ChainLink& link) {
  return ctx.picture->kernel().accesses[static_cast<std::size_t>(link.access)];
}

ImVec2 MapWay::at(float progress) const {
  const float eased = progress * progress * (3 - 2 * progress);
  return towards(from.centre(), to.centre(), eased);
}

std::optional<MapRect> thread_rect(const IndexMapState& state, Leg leg, std::uint32_t warp,
                                   int lane) {
  const bool out = (leg == Leg::tile_load || leg == Leg::store) && state.journey.writers;
  const Drawn* drawn = panel_of(state, out ? PanelRole::writers : PanelRole::threads);
  if (!drawn || !drawn->grid || drawn->cell <= 0) return std::nullopt;
  const ThreadGrid::Spot* spot = drawn->grid->at(warp, lane);
  if (!spot || !drawn->window.contains(spot->row, spot->col)) return std::nullopt;
  return rect_of(*drawn, CellWindow{spot->row, 1, spot->col, 1});
}

std::optional<MapRect> memory_rect(const IndexMapState& state, const Cell& cell) {
  const Drawn* drawn = panel_of(state, cell.address);
  return drawn && drawn->cell > 0 ? rect_of(*drawn, cell) : std::nullopt;
}

std::optional<MapWay> way_of(const IndexMapState& state, std::size_t index, int lane) {
  const Journey& journey = *state.journey.journey;
  const JourneyMove& move = journey.moves()[index];
  if (move.leg == Leg::barrier) return std::nullopt;
  const auto cell = memory_rect(
      state, {journey.addresses(index)[static_cast<std::size_t>(lane)], journey.bytes(index)});
  if (move.copies()) {
    const auto from = memory_rect(
        state, {journey.sources(index)[static_cast<std::size_t>(lane)], journey.bytes(index)});
    return from && cell ? std::optional(MapWay{*from, *cell}) : std::nullopt;
  }
  const auto thread = thread_rect(state, move.leg, move.warp, lane);
  if (!thread || !cell) return std::nullopt;
  return is_store(move.leg) ? MapWay{*thread, *cell} : MapWay{*cell, *thread};
}

void draw_map_ways(const ViewContext& ctx, const IndexMapState& state) {
  const auto moment = moment_of(*state.journey.journey, state.play.position);
  if (state.zoomed || !moment) return;
  const JourneyMove& move = state.journey.journey->moves()[moment->move];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float thick = 1.5f * std::max(1.0f, ctx.scale);
  for (LaneMask rest = move.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (!state.paths && lane != ctx.focus.lit_lane) continue;
    if (const auto way = way_of(state, moment->move, lane))
      list.AddLine(way->at(0), way->at(1), faded(color_of(ctx, state, *moment, lane), 0.75f),
                   thick);
  }
}

void draw_map_motion(const ViewContext& ctx, const IndexMapState& state) {
  const auto moment = moment_of(*state.journey.journey, state.play.position);
  if (state.zoomed) return;
  draw_barrier(ctx, state, moment);
  if (!moment) return;
  draw_ends(ctx, state, *moment);
  draw_badges(ctx, state, *moment);
}

}  // namespace lanescope::app
