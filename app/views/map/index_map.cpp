#include "views/map/index_map.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/map/map_motion.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr float kWords = 0.16f;  // of the height, for what is said under the picture

void handle_keys(IndexMapState& state) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || io.KeyMods != 0 || !ImGui::IsWindowFocused()) return;
  if (ImGui::IsKeyPressed(ImGuiKey_0) || ImGui::IsKeyPressed(ImGuiKey_Keypad0)) fit_map(state);
}

// The selected warp's lanes on the matrices, where no journey is drawn.
void draw_lanes(const ViewContext& ctx, const Drawn& drawn) {
  if (drawn.cell <= 0 || drawn.grid) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float gap = drawn.cell >= 5 ? 1.0f : 0.0f;
  for (int lane = 0; lane < kLanes; ++lane) {
    for (const ChainLink& link : ctx.focus.chains[static_cast<std::size_t>(lane)]) {
      const auto rect = rect_of(drawn, link.cell);
      if (!rect) continue;
      const ImVec2 max{rect->max.x - gap, rect->max.y - gap};
      list.AddRectFilled(rect->min, max, ctx.theme.lane);
      text_in_box(list, ctx.fonts.text, drawn.cell * 0.8f, 7 * ctx.scale, rect->min, max,
                  text_on(ctx.theme.lane), std::to_string(lane));
    }
  }
}

void draw_picture(const ViewContext& ctx, IndexMapState& state) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(state.picture_min, state.picture_max, true);
  // Under the panels, so that they show between them only.
  draw_map_ways(ctx, state);
  for (Drawn& drawn : state.panels) {
    draw_map_header(ctx, state, drawn);
    if (drawn.cell <= 0) continue;
    draw_map_cells(ctx, state, drawn);
    if (!state.zoomed) continue;
    list.PushClipRect({drawn.min.x - 3, drawn.min.y - 3}, {drawn.max.x + 3, drawn.max.y + 3}, true);
    draw_lanes(ctx, drawn);
    list.PopClipRect();
  }
  draw_map_motion(ctx, state);
  draw_map_block_way(ctx, state);
  draw_map_lit(ctx, state);
  draw_map_race(ctx, state);
  list.PopClipRect();
}

}  // namespace

void draw_index_map(const ViewContext& ctx, IndexMapState& state, Actions& actions) {
  if (!ctx.picture || !ctx.focus.trace || !ctx.picture->journey)
    return nothing_recorded(ctx, tr("No block has been recorded yet."));
  rebuild_map(ctx, state);
  if (state.panels.empty()) return nothing_to_show(ctx, tr("This block touches no array."));
  handle_keys(state);
  run_map(ctx, state, actions);
  replay_map(state);
  draw_map_row(ctx, state, actions);
  // Not as high as the words are: they change with what is pointed at, and nothing may jump.
  const ImVec2 all = ImGui::GetContentRegionAvail();
  const float line = ImGui::GetTextLineHeight() * 0.9f;
  const float words =
      std::floor(std::clamp(all.y * kWords, line * 1.1f, line * 5.3f) / line) * line;
  const ImVec2 space{all.x, std::max(60 * ctx.scale, all.y - words - 4)};
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  state.picture_min = origin;
  state.picture_max = {origin.x + space.x, origin.y + space.y};
  follow_map_motion(ctx, state);
  lay_out_map(ctx, state, space);
  draw_picture(ctx, state);
  if (!state.pen.takes_pointer() && !state.pen.frozen) point_at_map(ctx, state, actions);
  draw_map_pen(ctx, state.pen, state.picture_min, state.picture_max);
  ImGui::SetCursorScreenPos({origin.x, origin.y + space.y});
  ImGui::BeginChild("formula", {0, words}, 0, ImGuiWindowFlags_NoScrollbar);
  offer_other_side(ctx, actions);
  draw_map_words(ctx, state);
  ImGui::EndChild();
}

}  // namespace lanescope::app
