// The index map's stages and how they are played: the block's way from matrix to matrix, and its
// lanes' way through the tile.
#include <algorithm>
#include <array>
#include <cmath>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/map/index_map.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr float kBlockSeconds = 2.5f;  // at speed 1
constexpr float kLanesSeconds = 7.0f;
constexpr float kBlockPart = 0.3f;  // of the whole chain's time
constexpr float kStagger = 2.0f;    // how much later the last lane starts, in ways of one lane

float seconds_of(MapStage stage) {
  if (stage == MapStage::blocks) return kBlockSeconds;
  return stage == MapStage::in_block ? kLanesSeconds : kLanesSeconds / (1 - kBlockPart);
}

// How far the block is, and how far the lanes are, 0 to 1.
float block_progress(const IndexMapState& state) {
  if (state.stage == MapStage::in_block) return 1;
  return state.stage == MapStage::blocks ? state.progress
                                         : std::min(1.0f, state.progress / kBlockPart);
}
float lanes_progress(const IndexMapState& state) {
  if (state.stage == MapStage::blocks) return 0;
  return state.stage == MapStage::in_block
             ? state.progress
             : std::max(0.0f, (state.progress - kBlockPart) / (1 - kBlockPart));
}
float lane_progress(float all, int lane) {
  return std::clamp(all * (1 + kStagger) - kStagger * static_cast<float>(lane) / (kLanes - 1), 0.0f,
                    1.0f);
}

const Drawn* panel_of(const IndexMapState& state, const Cell& cell) {
  for (const Drawn& drawn : state.panels) {
    if (rect_of(drawn, cell)) return &drawn;
  }
  return nullptr;
}

// From cell to cell of one lane's chain; a hop within a panel is no way to draw.
struct Hop {
  ImVec2 start, end;
};
std::vector<Hop> hops_of(const IndexMapState& state, const std::vector<ChainLink>& chain) {
  std::vector<Hop> hops;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const Drawn* from = panel_of(state, chain[i].cell);
    const Drawn* to = panel_of(state, chain[i + 1].cell);
    if (!from || !to || from == to) continue;
    const MapRect a = *rect_of(*from, chain[i].cell), b = *rect_of(*to, chain[i + 1].cell);
    const bool rightwards = a.centre().x < b.centre().x;
    hops.push_back({{rightwards ? a.max.x : a.min.x, a.centre().y},
                    {rightwards ? b.min.x : b.max.x, b.centre().y}});
  }
  return hops;
}

ImVec2 between(ImVec2 a, ImVec2 b, float t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

void draw_chain(const ViewContext& ctx, const IndexMapState& state,
                const std::vector<ChainLink>& chain, bool lit, float progress) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::vector<Hop> hops = hops_of(state, chain);
  for (std::size_t i = 0; i < hops.size(); ++i) {
    const float t =
        std::clamp(progress * static_cast<float>(hops.size()) - static_cast<float>(i), 0.0f, 1.0f);
    if (t <= 0) break;
    const ImVec2 end = between(hops[i].start, hops[i].end, t);
    if (lit) {
      list.AddLine(hops[i].start, end, ctx.theme.canvas, 4.5f * ctx.scale);
      arrow(list, hops[i].start, end, ctx.theme.selection, 2.2f * ctx.scale);
    } else {
      list.AddLine(hops[i].start, end, faded(ctx.theme.lane, ctx.focus.lit.empty() ? 0.4f : 0.15f),
                   1);
    }
  }
}

const Drawn* first_of(const IndexMapState& state, PanelRole role) {
  for (const Drawn& drawn : state.panels) {
    if (drawn.panel.role == role) return &drawn;
  }
  return nullptr;
}

MapRect cut(const MapRect& rect, const Drawn& drawn) {
  return {{std::clamp(rect.min.x, drawn.min.x, drawn.max.x),
           std::clamp(rect.min.y, drawn.min.y, drawn.max.y)},
          {std::clamp(rect.max.x, drawn.min.x, drawn.max.x),
           std::clamp(rect.max.y, drawn.min.y, drawn.max.y)}};
}

// The block's rectangle on its way: it turns from the input's shape to the output's.
void draw_block_way(const ViewContext& ctx, const IndexMapState& state) {
  const Drawn *from = first_of(state, PanelRole::input), *to = first_of(state, PanelRole::output);
  if (!from || !to) return;
  const MapRect a = cut(rect_of(*from, from->panel.box), *from);
  const MapRect b = cut(rect_of(*to, to->panel.box), *to);
  const float t = block_progress(state);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (state.stage == MapStage::blocks) {
    const ImVec2 start{a.max.x, a.centre().y}, end{b.min.x, b.centre().y};
    list.AddLine(start, between(start, end, t), ctx.theme.canvas, 4.5f * ctx.scale);
    arrow(list, start, between(start, end, t), ctx.theme.selection, 2.2f * ctx.scale);
    outline(list, a.min, a.max, ctx.theme.selection, 2 * ctx.scale);
    if (t >= 1) outline(list, b.min, b.max, ctx.theme.selection, 2 * ctx.scale);
  }
  if (t >= 1) return;
  const float eased = t * t * (3 - 2 * t);
  const ImVec2 min = between(a.min, b.min, eased), max = between(a.max, b.max, eased);
  list.AddRectFilled(min, max, faded(ctx.theme.selection, 0.35f));
  outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
}

// A dot with the lane's number at the tip of each way that is still under way.
void draw_dots(const ViewContext& ctx, const IndexMapState& state) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float all = lanes_progress(state), size = ImGui::GetFontSize() * 0.8f, r = size * 0.75f;
  for (int lane = 0; lane < kLanes; ++lane) {
    const float progress = lane_progress(all, lane);
    if (progress <= 0 || progress >= 1) continue;
    const auto hops = hops_of(state, ctx.focus.chains[static_cast<std::size_t>(lane)]);
    if (hops.empty()) continue;
    const float along = progress * static_cast<float>(hops.size());
    const auto index = std::min(static_cast<std::size_t>(along), hops.size() - 1);
    const ImVec2 at =
        between(hops[index].start, hops[index].end, along - static_cast<float>(index));
    const ImU32 color = lane == ctx.focus.lit_lane ? ctx.theme.selection : ctx.theme.lane;
    list.AddCircleFilled(at, r + 1, ctx.theme.canvas, 16);
    list.AddCircleFilled(at, r, color, 16);
    text_in_box(list, ctx.fonts.text, size, 6, {at.x - r, at.y - r}, {at.x + r, at.y + r},
                text_on(color), std::to_string(lane));
  }
}

void same_line_if_it_fits(float width) {
  ImGui::SameLine(0, 5 * ImGui::GetStyle().ItemSpacing.x / 7);
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

void stage_button(const ViewContext& ctx, IndexMapState& state, MapStage stage, const char* label,
                  const char* id, const char* tooltip) {
  const bool on = state.stage == stage;
  if (on) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  if (ImGui::Button((std::string(label) + "###" + id).c_str())) {
    state.stage = stage;
    state.playing = false;
    state.progress = 1;
    if (stage == MapStage::blocks) {
      show_whole_map(state);
      state.near_wanted = true;
    } else {
      fit_map(state);
    }
  }
  if (on) {
    ImGui::PopStyleColor();
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddLine({min.x, max.y}, max, ctx.theme.selection, 2 * ctx.scale);
  }
  ImGui::SetItemTooltip("%s", tooltip);
}

float button_width(const char* label) {
  return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

void play(const ViewContext& ctx, IndexMapState& state) {
  if (!state.playing) return;
  ctx.animating = true;
  // After a pause in drawing the first frame's time says nothing.
  const float passed = std::min(ImGui::GetIO().DeltaTime, 0.05f);
  state.progress += passed * state.speed / seconds_of(state.stage);
  if (state.progress >= 1) state.progress = 1, state.playing = false;
}

void play_controls(const ViewContext& ctx, IndexMapState& state) {
  play(ctx, state);
  if (icon_button(ctx, "play map", state.playing ? Icon::pause : Icon::play,
                  tr("play the arrows slowly"))) {
    state.playing = !state.playing;
    if (state.playing && state.progress >= 1) state.progress = 0;
  }
  same_line_if_it_fits(60 * ctx.scale);
  ImGui::SetNextItemWidth(60 * ctx.scale);
  if (ImGui::SliderFloat("###progress", &state.progress, 0, 1, "")) state.playing = false;
  ImGui::SetItemTooltip("%s", tr("how far the arrows are"));
  static constexpr std::array<float, 4> kSpeeds{0.25f, 0.5f, 1.0f, 2.0f};
  const std::string speed = "×" + decimal(static_cast<double>(state.speed), 2);
  same_line_if_it_fits(button_width("×0.25"));
  if (ImGui::Button((speed + "###speed").c_str(), {button_width("×0.25"), 0})) {
    const auto next = std::upper_bound(kSpeeds.begin(), kSpeeds.end(), state.speed);
    state.speed = next == kSpeeds.end() ? kSpeeds.front() : *next;
  }
  ImGui::SetItemTooltip("%s", tr("speed of the arrows"));
}

}  // namespace

void draw_map_ways(const ViewContext& ctx, const IndexMapState& state) {
  if (state.stage == MapStage::blocks || !state.paths) return;
  const float all = lanes_progress(state);
  for (int lane = 0; lane < kLanes; ++lane)
    draw_chain(ctx, state, ctx.focus.chains[static_cast<std::size_t>(lane)], false,
               lane_progress(all, lane));
}

void draw_map_movers(const ViewContext& ctx, const IndexMapState& state) {
  draw_block_way(ctx, state);
  if (state.stage == MapStage::blocks) return;
  const float all = lanes_progress(state);
  const float lit = ctx.focus.lit_lane >= 0 ? lane_progress(all, ctx.focus.lit_lane) : all;
  draw_chain(ctx, state, ctx.focus.lit, true, lit);
  if (all > 0 && all < 1) draw_dots(ctx, state);
}

void draw_map_tools(const ViewContext& ctx, IndexMapState& state) {
  stage_button(ctx, state, MapStage::chain, tr("Whole way"), "chain",
               tr("first the block, then its lanes"));
  same_line_if_it_fits(button_width(tr("Block → block")));
  stage_button(ctx, state, MapStage::blocks, tr("Block → block"), "blocks",
               tr("which block of the output a block of the input becomes"));
  same_line_if_it_fits(button_width(tr("In the block")));
  stage_button(ctx, state, MapStage::in_block, tr("In the block"), "in_block",
               tr("which way the lanes go through the tile"));
  same_line_if_it_fits(ImGui::GetFrameHeight() * 1.3f);
  play_controls(ctx, state);
  same_line_if_it_fits(button_width(tr("whole matrix")));
  if (ImGui::Button((std::string(tr("whole matrix")) + "###whole").c_str())) show_whole_map(state);
  ImGui::SetItemTooltip("%s", tr("The wheel zooms, dragging moves, a double click goes back (0)."));
  if (!state.zoomed) return;
  same_line_if_it_fits(button_width(tr("this block")));
  if (ImGui::Button((std::string(tr("this block")) + "###fit").c_str())) fit_map(state);
}

}  // namespace lanescope::app
