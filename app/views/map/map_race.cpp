// The two sides of a race on the index map: who stores and who reads, or stores too, and the cell in
// which they meet.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/places/race.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/map/map_motion.h"

namespace lanescope::app {
namespace {

std::string named(Dim3 at) {
  return fmt::format("({}, {}{})", at.x, at.y, at.z ? fmt::format(", {}", at.z) : "");
}

std::string side_text(const ViewContext& ctx, const ChainLink& side) {
  const Dim3 thread = thread_of(ctx.picture->prepared->launch.block, side.warp, side.lane);
  const std::string name = named(thread);
  const AccessInfo& access = access_of(ctx, side);
  return !is_store(leg_of(access, side.cell.address))
             ? tr("thread {0} reads, line {1}", {name, access.pos.line})
             : tr("thread {0} writes, line {1}", {name, access.pos.line});
}

// The labels of one frame: none covers another, nor, where it can be helped, a panel's name and the
// numbers of its columns.
class Labels {
 public:
  Labels(const ViewContext& ctx, IndexMapState& state) : ctx_(ctx), state_(state) {}

  /// Nothing is written there.
  void keep_free(const MapRect& rect) { taken_.push_back(rect); }

  void draw(const MapRect& at, const std::string& text) {
    const float size = ImGui::GetFontSize() * 0.85f, pad = size * 0.3f;
    const ImVec2 words = ctx_.fonts.strong->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
    const ImVec2 extent{words.x + 2 * pad, words.y + pad};
    const float left = at.centre().x - extent.x / 2;
    MapRect rect = placed({left, at.min.y - extent.y - 2 * pad}, extent);
    if (on_header(at, rect.min.y)) rect = placed({left, at.max.y + pad}, extent);
    for (int tries = 0; tries < 4; ++tries)
      for (const MapRect& other : taken_)
        if (meet(rect, other)) rect = placed({rect.min.x, other.max.y + pad}, extent);
    taken_.push_back(rect);
    state_.race_labels.push_back(rect);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(rect.min, rect.max, ctx_.theme.error, size * 0.25f);
    list.AddText(ctx_.fonts.strong, size, {rect.min.x + pad, rect.min.y + pad / 2},
                 text_on(ctx_.theme.error), text.c_str());
  }

 private:
  static bool meet(const MapRect& a, const MapRect& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
  }

  [[nodiscard]] bool on_header(const MapRect& at, float top) const {
    const ImVec2 centre = at.centre();
    return std::any_of(state_.panels.begin(), state_.panels.end(), [&](const auto& drawn) {
      return centre.x >= drawn.min.x && centre.x <= drawn.max.x && centre.y >= drawn.min.y &&
             centre.y <= drawn.max.y && top < drawn.min.y;
    });
  }

  [[nodiscard]] MapRect placed(ImVec2 min, ImVec2 extent) const {
    const auto inside = [](float value, float low, float high) {
      return std::clamp(value, low, std::max(low, high));
    };
    min.x = inside(min.x, state_.picture_min.x, state_.picture_max.x - extent.x);
    min.y = inside(min.y, state_.picture_min.y, state_.picture_max.y - extent.y);
    return {min, {min.x + extent.x, min.y + extent.y}};
  }

  const ViewContext& ctx_;
  IndexMapState& state_;
  std::vector<MapRect> taken_;
};

void draw_side(const ViewContext& ctx, const IndexMapState& state, const ChainLink& side,
               Labels& labels) {
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
  labels.draw(*thread, side_text(ctx, side));
}

// Of the cell that is pinned.
std::optional<RaceApart> apart(const ViewContext& ctx) {
  if (!ctx.selection.cell || ctx.selection.race || ctx.predicting) return std::nullopt;
  return race_apart(*ctx.picture, ctx.focus.lit, ctx.diagnostics);
}

std::string rival_text(const RaceApart& race) {
  return tr("thread {0} of block {1}, line {2}",
            {named(race.thread), named(race.block), race.line});
}

}  // namespace

void draw_map_race(const ViewContext& ctx, IndexMapState& state) {
  state.race_labels.clear();
  if (ctx.predicting || state.at_blocks() || state.zoomed) return;
  Labels labels(ctx, state);
  if (state.name) labels.keep_free(*state.name);
  if (const auto race = apart(ctx)) {
    draw_side(ctx, state, race->here, labels);
    if (const auto cell = memory_rect(state, race->here.cell))
      labels.draw(*cell, rival_text(*race));
  }
  if (!ctx.selection.race) return;
  for (const ChainLink* side : {&ctx.selection.race->other, &ctx.selection.race->named}) {
    if (const auto thread = thread_rect(state, leg_of(access_of(ctx, *side), side->cell.address),
                                        side->warp, side->lane))
      labels.keep_free(*thread);
  }
  draw_side(ctx, state, ctx.selection.race->other, labels);
  draw_side(ctx, state, ctx.selection.race->named, labels);
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
