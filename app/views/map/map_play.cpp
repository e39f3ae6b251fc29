#include "views/map/map_play.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "views/map/index_map.h"

namespace lanescope::app {
namespace {

// Seconds at speed 1.
constexpr double kBlock = 2.5;   // the block's way
constexpr double kWay = 1.0;     // one lane's way, of the warp that is looked at
constexpr double kOther = 0.16;  // of any other warp
constexpr double kBarrier = 0.9;
constexpr double kStep = 0.45;  // a step that was asked for

double end_of(const IndexMapState& state) {
  return static_cast<double>(state.journey.journey->moves().size());
}

// How long the move takes that starts at or around a position.
double seconds_at(const ViewContext& ctx, const IndexMapState& state) {
  if (state.at_blocks()) return kBlock;
  const auto moves = state.journey.journey->moves();
  const auto at = static_cast<std::size_t>(state.play.position);
  if (at >= moves.size()) return kWay;
  const JourneyMove& move = moves[at];
  if (move.leg == Leg::barrier) return kBarrier;
  const double length = static_cast<double>(move_length(move.ticks));
  return move.warp == ctx.selection.warp ? kWay * length : kOther * std::sqrt(length);
}

// Goes over to the matrices, or back to the block's cells, when the position crosses 0.
void change_scene(IndexMapState& state, bool was_at_blocks) {
  if (state.at_blocks() == was_at_blocks) return;
  if (state.at_blocks()) {
    show_whole_map(state);
    state.near_wanted = true;
  } else {
    fit_map(state);
  }
}

void go(IndexMapState& state, double position) {
  const bool before = state.at_blocks();
  state.play.position = std::clamp(position, -1.0, end_of(state));
  change_scene(state, before);
}

void pass_time(const ViewContext& ctx, IndexMapState& state) {
  MapPlay& play = state.play;
  if (!play.playing && !play.target) return;
  ctx.animating = true;
  // After a pause in drawing the first frame's time says nothing.
  double left = static_cast<double>(std::min(ImGui::GetIO().DeltaTime, 0.05f));
  if (play.target) {
    const double way = *play.target - play.position;
    const double step = std::min(std::abs(way), left / kStep * std::max(1.0, std::abs(way)));
    go(state, play.position + (way < 0 ? -step : step));
    if (std::abs(*play.target - play.position) < 1e-6) {
      go(state, *play.target);
      play.target.reset();
    }
    return;
  }
  left *= static_cast<double>(play.speed);
  while (left > 0 && play.position < end_of(state)) {
    const double seconds = seconds_at(ctx, state);
    const double to_next = (std::floor(play.position) + 1 - play.position) * seconds;
    const double taken = std::min(left, to_next);
    go(state, taken == to_next ? std::floor(play.position) + 1 : play.position + taken / seconds);
    left -= taken;
  }
  if (play.position >= end_of(state)) play.playing = false;
}

// True if the map is where a session left it.
bool take_up(const ViewContext& ctx, IndexMapState& state) {
  const auto left = std::exchange(state.play.left, std::nullopt);
  if (!left || left->warp != ctx.selection.warp || left->step != ctx.selection.step) return false;
  go(state, left->position);
  if (left->whole && !state.zoomed) show_whole_map(state);
  return true;
}

// A step that was selected elsewhere: the timeline, the text, a file.
void follow_selection(const ViewContext& ctx, IndexMapState& state) {
  MapPlay& play = state.play;
  if (ctx.selection.warp == play.warp && ctx.selection.step == play.step) return;
  const bool first = play.step == ~std::size_t{0};
  play.warp = ctx.selection.warp;
  play.step = ctx.selection.step;
  if (first && take_up(ctx, state)) return;
  if (state.pen.frozen || state.at_blocks()) return;
  const auto move = state.journey.journey->move_at(play.warp, play.step);
  const double wanted = move ? static_cast<double>(*move) + 1 : 0;
  // Where it is already: the step is one between two moves.
  const double now = play.target.value_or(play.position);
  if (!first && std::ceil(now) == wanted) return;
  play.playing = false;
  if (!first && std::abs(wanted - play.position) <= 1) {
    play.target = wanted;
  } else {
    play.target.reset();
    go(state, wanted);
  }
}

// The selected warp is at the step that the position has come to, and all other views with it.
void lead_selection(const ViewContext& ctx, IndexMapState& state, Actions& actions) {
  MapPlay& play = state.play;
  if (state.at_blocks()) return;
  const auto done = static_cast<std::size_t>(std::ceil(play.target.value_or(play.position)));
  const std::size_t step = state.journey.journey->step_after(ctx.selection.warp, done);
  const auto shown = state.journey.journey->move_at(ctx.selection.warp, play.step);
  const auto wanted = state.journey.journey->move_at(ctx.selection.warp, step);
  if (step == play.step || shown == wanted) return;
  play.step = step;
  play.warp = ctx.selection.warp;
  actions.push_back(SelectStep{step});
}

}  // namespace

std::optional<MapMoment> moment_of(const Journey& journey, double position) {
  if (position <= 0 || journey.moves().empty()) return std::nullopt;
  const double last = std::ceil(position) - 1;
  return MapMoment{std::min(static_cast<std::size_t>(last), journey.moves().size() - 1),
                   static_cast<float>(position - last)};
}

void run_map(const ViewContext& ctx, IndexMapState& state, Actions& actions) {
  follow_selection(ctx, state);
  if (!state.pen.frozen) pass_time(ctx, state);
  lead_selection(ctx, state, actions);
}

void step_map(IndexMapState& state, int moves) {
  state.play.playing = false;
  const double from = state.play.target.value_or(state.play.position);
  const double whole = moves < 0 ? std::ceil(from) : std::floor(from);
  state.play.target = std::clamp(whole + moves, -1.0, end_of(state));
}

void step_map_stage(IndexMapState& state, int stages) {
  state.play.playing = false;
  const double from = state.play.target.value_or(state.play.position);
  double to = stages > 0 ? end_of(state) : -1;
  for (const JourneyStage& stage : state.journey.journey->stages()) {
    const auto end = static_cast<double>(stage.first + stage.count);
    if (stages > 0 && end > from) {
      to = end;
      break;
    }
    if (stages < 0 && static_cast<double>(stage.first) < from)
      to = static_cast<double>(stage.first);
  }
  if (stages > 0 && from < 0) to = 0;
  state.play.target.reset();
  go(state, to);
}

void play_map(IndexMapState& state, bool playing) {
  state.play.target.reset();
  state.play.playing = playing;
  if (playing && state.play.position >= end_of(state)) go(state, -1);
}

void scrub_map(IndexMapState& state, double position) {
  state.play.playing = false;
  state.play.target.reset();
  go(state, position);
}

}  // namespace lanescope::app
