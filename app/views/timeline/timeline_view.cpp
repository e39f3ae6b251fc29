#include "views/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "views/command/commands.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr int kSpeeds[] = {1, 2, 4, 8, 16, 32};  // steps a second

void transport(const ViewContext& ctx, TimelineState& state, Actions& actions) {
  struct Move {
    const char* id;
    Icon icon;
    const char* command;
    StepMove move;
  };
  const Move moves[] = {
      {"first", Icon::first, "step.first", StepMove::first},
      {"previous access", Icon::previous_access, "step.previous_access", StepMove::previous_access},
      {"back", Icon::back, "step.back", StepMove::back},
      {"forward", Icon::forward, "step.forward", StepMove::forward},
      {"next access", Icon::next_access, "step.next_access", StepMove::next_access},
      {"next barrier", Icon::next_barrier, "step.next_barrier", StepMove::next_barrier},
      {"last", Icon::last, "step.last", StepMove::last}};
  for (const Move& move : moves) {
    if (icon_button(ctx, move.id, move.icon, tooltip_text(move.command).c_str()))
      actions.push_back(MoveStep{move.move});
    ImGui::SameLine(0, 3 * ctx.scale);
  }
  ImGui::SameLine(0, 10 * ctx.scale);
  if (icon_button(ctx, "play", state.playing ? Icon::pause : Icon::play,
                  tooltip_text("play").c_str())) {
    state.playing = !state.playing;
    state.next_at = ImGui::GetTime();
  }
  ImGui::SameLine();
  const auto label = [](int i) { return tr("{0} steps/s", {kSpeeds[i]}); };
  ImGui::SetNextItemWidth(ImGui::CalcTextSize("32 steps/s").x + ImGui::GetFrameHeight() * 1.8f);
  if (ImGui::BeginCombo("##speed", label(state.speed).c_str())) {
    for (int i = 0; i < IM_ARRAYSIZE(kSpeeds); ++i) {
      if (ImGui::Selectable(label(i).c_str(), i == state.speed)) state.speed = i;
    }
    ImGui::EndCombo();
  }
  item_tooltip(tr("speed of playing"));
}

void advance(const ViewContext& ctx, TimelineState& state, Actions& actions) {
  if (!state.playing) return;
  if (ctx.focus.step + 1 >= ctx.focus.track->size()) {
    state.playing = false;
    return;
  }
  ctx.animating = true;
  if (ImGui::GetTime() < state.next_at) return;
  state.next_at = ImGui::GetTime() + 1.0 / kSpeeds[state.speed];
  actions.push_back(MoveStep{StepMove::forward});
}

void scrub(const ViewContext& ctx, Actions& actions) {
  const int last = std::max(0, static_cast<int>(ctx.focus.track->size()) - 1);
  int step = static_cast<int>(ctx.focus.step);
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::SetNextItemWidth(room);
  std::string label = tr("step {0} of {1}", {step + 1, last + 1});
  if (ImGui::CalcTextSize(label.c_str()).x > room) label = fmt::format("{}/{}", step + 1, last + 1);
  if (ImGui::SliderInt("##step", &step, 0, last, label.c_str(), ImGuiSliderFlags_AlwaysClamp)) {
    actions.push_back(SelectStep{static_cast<std::size_t>(step)});
  }
}

void mask_cells(const ViewContext& ctx, float cell, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const LaneMask mask = ctx.focus.step_mask();
  const float height = ImGui::GetTextLineHeight() + 2;
  const float size =
      fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.85f, cell, height, kWidestLane);
  for (int lane = 0; lane < kLanes; ++lane) {
    const ImVec2 min{at.x + cell * static_cast<float>(lane), at.y},
        max{min.x + cell - 1, at.y + height};
    const bool on = (mask >> lane & 1u) != 0;
    const ImU32 color = on ? ctx.theme.lane : ctx.theme.empty;
    list.AddRectFilled(min, max, color);
    if (!on) list.AddRect(min, max, ctx.theme.grid);
    text_in_box(list, ctx.fonts.text, size, 7 * ctx.scale, min, max,
                on ? text_on(color) : ctx.theme.dim, std::to_string(lane));
    if (lane == ctx.focus.lit_lane) {
      outline(list, min, max, ctx.theme.selection, 2.5f * ctx.scale);
      ctx.lit.add("timeline", lane);
    }
    lane_item(ctx, lane, ctx.focus.shown ? &*ctx.focus.shown : nullptr, min, max, actions);
  }
  ImGui::Dummy({cell * kLanes, height + 2});
}

std::string step_text(const ViewContext& ctx) {
  const KernelInfo& kernel = ctx.picture->kernel();
  if (ctx.focus.step >= ctx.focus.track->size()) return "";
  const OpInfo& op = kernel.ops[ctx.focus.track->op[ctx.focus.step]];
  std::string text = tr("warp {0}", {ctx.focus.warp});
  if (op.pos.line) text += " · " + tr("line {0}", {op.pos.line});
  text += "  ";
  switch (op.kind) {
  case StepKind::access:
    if (op.access >= 0) text += access_title(kernel.accesses[static_cast<std::size_t>(op.access)]);
    break;
  case StepKind::assign:
    if (op.variable >= 0)
      text += kernel.variables[static_cast<std::size_t>(op.variable)].name + " =";
    break;
  case StepKind::branch:
    text += tr("branch");
    break;
  case StepKind::barrier:
    text += tr("barrier");
    break;
  case StepKind::warp_op:
    text += tr("warp operation");
    break;
  case StepKind::exit:
    text += tr("exit");
    break;
  case StepKind::compute:
    text += tr("arithmetic");
    break;
  }
  return text;
}

}  // namespace

void draw_timeline(const ViewContext& ctx, TimelineState& state, Actions& actions) {
  if (!ctx.picture || !ctx.focus.track)
    return nothing_recorded(ctx, tr("No warp has been recorded yet."));
  if (!ctx.still) {
    transport(ctx, state, actions);
    ImGui::SameLine();
    scrub(ctx, actions);
  }
  advance(ctx, state, actions);
  // The words beside the mask want some 25 em; the mask must not change its size with them.
  const float width = ImGui::GetContentRegionAvail().x;
  const float mask = std::max(width - 25 * ImGui::GetFontSize(), width * 0.42f);
  mask_cells(ctx, std::floor(std::min(19 * ctx.scale, mask / kLanes)), actions);
  ImGui::SameLine(0, 12 * ctx.scale);
  ImGui::TextUnformatted(shortened(step_text(ctx), ImGui::GetContentRegionAvail().x).c_str());
  item_tooltip(tr("what the warp does at this step; the cells are its active mask"));
  ImGui::BeginChild("tracks", {0, 0});
  draw_tracks(ctx, state, actions);
  ImGui::EndChild();
}

}  // namespace lanescope::app
