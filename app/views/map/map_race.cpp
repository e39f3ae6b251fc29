// The two sides of a race on the index map: who stores and who reads, or stores too, and the cell in
// which they meet.
#include <algorithm>
#include <string>

#include "core/places/race.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/map/map_motion.h"

namespace lanescope::app {
namespace {

std::string named(Dim3 at) {
  return "(" + std::to_string(at.x) + ", " + std::to_string(at.y) +
         (at.z ? ", " + std::to_string(at.z) : "") + ")";
}

std::string side_text(const ViewContext& ctx, const ChainLink& side) {
  const Dim3 thread = thread_of(ctx.picture->prepared->launch.block, side.warp, side.lane);
  const std::string name = named(thread);
  const AccessInfo& access = access_of(ctx, side);
  const std::string line = std::to_string(access.pos.line);
  return !is_store(leg_of(access, side.cell.address))
             ? tr("thread {0} reads, line {1}", {name, line})
             : tr("thread {0} writes, line {1}", {name, line});
}

void draw_label(const ViewContext& ctx, const IndexMapState& state, const MapRect& at, bool above,
                const std::string& text) {
  const float size = ImGui::GetFontSize() * 0.85f, pad = size * 0.3f;
  const ImVec2 extent = ctx.fonts.strong->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
  ImVec2 min{at.centre().x - extent.x / 2 - pad,
             above ? at.min.y - extent.y - 3 * pad : at.max.y + pad};
  const auto inside = [](float value, float low, float high) {
    return std::clamp(value, low, std::max(low, high));
  };
  min.x = inside(min.x, state.picture_min.x, state.picture_max.x - extent.x - 2 * pad);
  min.y = inside(min.y, state.picture_min.y, state.picture_max.y - extent.y - pad);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, {min.x + extent.x + 2 * pad, min.y + extent.y + pad}, ctx.theme.error,
                     size * 0.25f);
  list.AddText(ctx.fonts.strong, size, {min.x + pad, min.y + pad / 2}, text_on(ctx.theme.error),
               text.c_str());
}

void draw_side(const ViewContext& ctx, const IndexMapState& state, const ChainLink& side,
               bool above) {
  const Leg leg = leg_of(access_of(ctx, side), side.cell.address);
  const auto thread = thread_rect(state, leg, side.warp, side.lane);
  const auto cell = memory_rect(state, side.cell);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float thick = 2.5f * ctx.scale;
  if (cell) outline(list, cell->min, cell->max, ctx.theme.error, thick);
  if (!thread) return;
  if (cell) {
    const ImVec2 from = is_store(leg) ? thread->centre() : cell->centre(),
                 to = is_store(leg) ? cell->centre() : thread->centre();
    list.AddLine(from, to, ctx.theme.canvas, 2 * thick);
    arrow(list, from, to, ctx.theme.error, thick);
  }
  outline(list, thread->min, thread->max, ctx.theme.error, thick);
  draw_label(ctx, state, *thread, above, side_text(ctx, side));
}

// Of the cell that is pinned.
std::optional<RaceApart> apart(const ViewContext& ctx) {
  if (!ctx.selection.cell || ctx.selection.race || ctx.predicting) return std::nullopt;
  return race_apart(*ctx.picture, ctx.focus.lit, ctx.diagnostics);
}

std::string rival_text(const RaceApart& race) {
  return tr("thread {0} of block {1}, line {2}",
            {named(race.thread), named(race.block), std::to_string(race.line)});
}

}  // namespace

void draw_map_race(const ViewContext& ctx, const IndexMapState& state) {
  if (ctx.predicting || state.at_blocks() || state.zoomed) return;
  if (const auto race = apart(ctx)) {
    draw_side(ctx, state, race->here, true);
    if (const auto cell = memory_rect(state, race->here.cell))
      draw_label(ctx, state, *cell, false, rival_text(*race));
  }
  if (!ctx.selection.race) return;
  draw_side(ctx, state, ctx.selection.race->other, false);
  draw_side(ctx, state, ctx.selection.race->named, true);
}

std::string map_race_text(const ViewContext& ctx) {
  if (const auto race = apart(ctx))
    return tr("race over {0}: {1}; {2}; nothing orders them",
              {locate(*ctx.picture, race->here.cell.address).text(), side_text(ctx, race->here),
               rival_text(*race)});
  if (!ctx.selection.race) return "";
  const Race& race = *ctx.selection.race;
  return tr("race over {0}: {1}; {2}; nothing orders them",
            {locate(*ctx.picture, race.named.cell.address).text(), side_text(ctx, race.named),
             side_text(ctx, race.other)});
}

void offer_other_side(const ViewContext& ctx, Actions& actions) {
  const auto race = apart(ctx);
  if (!race) return;
  if (ImGui::SmallButton((tr("Go to block {0}", {named(race->block)}) + "###other side").c_str()))
    actions.push_back(ShowMistake{other_side(*race)});
  item_tooltip(tr("The other side of the race is there."));
  ImGui::SameLine();
}

}  // namespace lanescope::app
