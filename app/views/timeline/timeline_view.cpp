#include "views/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>

#include "views/command/commands.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr int kSpeeds[] = {1, 2, 4, 8, 16, 32};  // steps a second
constexpr std::size_t kMaxTexels = 2048;

double cost_ratio(const KernelInfo& kernel, const BlockTrace& trace, const WarpTrack& track,
                  std::size_t step) {
  const AccessInfo& access =
      kernel.accesses[static_cast<std::size_t>(kernel.ops[track.op[step]].access)];
  const std::uint32_t row = track.rows[step];
  const LaneMask mask = track.mask[step];
  if (row == WarpTrack::kNoRows || !mask) return 1;
  const LaneRow address = trace.rows[row];
  const MemorySpace space = space_of(address[static_cast<std::size_t>(std::countr_zero(mask))]);
  if (space == MemorySpace::shared) {
    const SharedCounts cost = shared_cost(address, mask, access.bytes, access.op == AccessOp::load);
    return static_cast<double>(cost.wavefronts) /
           static_cast<double>(std::max<std::uint64_t>(1, cost.ideal_wavefronts));
  }
  if (space != MemorySpace::global) return 1;
  const GlobalCounts cost = global_cost(address, mask, access.bytes);
  return static_cast<double>(cost.sectors) /
         static_cast<double>(std::max<std::uint64_t>(1, cost.ideal_sectors));
}

void rebuild(const ViewContext& ctx, TimelineState& state) {
  const KernelInfo& kernel = ctx.picture->kernel();
  const BlockTrace& trace = *ctx.focus.trace;
  state.axis = TrackAxis(kernel, trace);
  const std::size_t width = std::clamp<std::size_t>(state.axis.width(), 1, kMaxTexels);
  const std::size_t units = std::max<std::size_t>(1, state.axis.width());
  std::vector<std::uint32_t> pixels(width * trace.warps.size(), 0);
  std::vector<double> worst(width);
  for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
    std::fill(worst.begin(), worst.end(), 0.0);
    const WarpTrack& track = trace.warps[warp];
    for (std::size_t step = 0; step < track.size(); ++step) {
      const std::size_t x = state.axis.position(warp, step) * width / units;
      std::uint32_t& pixel = pixels[warp * width + x];
      const OpInfo& op = kernel.ops[track.op[step]];
      if (op.kind == StepKind::barrier) {
        pixel = ctx.theme.barrier;
        worst[x] = 1e9;
      } else if (op.access >= 0) {
        const double ratio = cost_ratio(kernel, trace, track, step);
        if (ratio > worst[x]) worst[x] = ratio, pixel = heat_color(ratio);
      } else if (!pixel) {
        pixel = ctx.theme.cell;
      }
    }
  }
  state.tracks.upload(static_cast<int>(width), static_cast<int>(trace.warps.size()), pixels);
  state.serial = ctx.picture->serial;
  state.dark = ctx.theme.dark;
}

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
  const auto label = [](int i) { return tr("{0} steps/s", {std::to_string(kSpeeds[i])}); };
  ImGui::SetNextItemWidth(ImGui::CalcTextSize("32 steps/s").x + ImGui::GetFrameHeight() * 1.8f);
  if (ImGui::BeginCombo("##speed", label(state.speed).c_str())) {
    for (int i = 0; i < IM_ARRAYSIZE(kSpeeds); ++i) {
      if (ImGui::Selectable(label(i).c_str(), i == state.speed)) state.speed = i;
    }
    ImGui::EndCombo();
  }
  ImGui::SetItemTooltip("%s", tr("speed of playing"));
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
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  const std::string label =
      tr("step {0} of {1}", {std::to_string(step + 1), std::to_string(last + 1)});
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
  std::string text = tr("warp {0}", {std::to_string(ctx.focus.warp)});
  if (op.pos.line) text += " · " + tr("line {0}", {std::to_string(op.pos.line)});
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

void track_tooltip(const ViewContext& ctx, std::uint32_t warp, std::size_t step) {
  const WarpTrack& track = ctx.focus.trace->warps[warp];
  if (step >= track.size()) return;
  const OpInfo& op = ctx.picture->kernel().ops[track.op[step]];
  std::string text =
      tr("warp {0}, step {1}, line {2}",
         {std::to_string(warp), std::to_string(step + 1), std::to_string(op.pos.line)});
  if (op.access >= 0) {
    text += "\n" +
            access_title(ctx.picture->kernel().accesses[static_cast<std::size_t>(op.access)]) +
            "\n" +
            tr("{0} × ideal",
               {decimal(cost_ratio(ctx.picture->kernel(), *ctx.focus.trace, track, step))});
  }
  ImGui::SetTooltip("%s", text.c_str());
}

void draw_tracks(const ViewContext& ctx, const TimelineState& state, Actions& actions) {
  const auto warps = static_cast<std::uint32_t>(ctx.focus.trace->warps.size());
  if (!warps) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 space = ImGui::GetContentRegionAvail(), origin = ImGui::GetCursorScreenPos();
  const float label = ImGui::CalcTextSize(tr("warp {0}", {"00"}).c_str()).x + 8 * ctx.scale;
  const float row =
      row_height(space.y - 3, static_cast<float>(warps), 1.5f * ctx.scale, 22 * ctx.scale);
  const ImVec2 min{origin.x + label, origin.y},
      max{origin.x + space.x, origin.y + row * static_cast<float>(warps)};
  state.tracks.draw_sharp(list, min, max);
  const float unit =
      (max.x - min.x) / static_cast<float>(std::max<std::size_t>(1, state.axis.width()));
  const auto every = static_cast<std::uint32_t>(std::ceil(ImGui::GetTextLineHeight() / row));
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    const float y = origin.y + row * static_cast<float>(warp);
    if (row >= 6) list.AddLine({min.x, y}, {max.x, y}, ctx.theme.canvas, 1);
    if (warp % every == 0 && y + ImGui::GetTextLineHeight() <= max.y + 4) {
      const float size =
          std::min(ImGui::GetFontSize() * 0.85f, std::max(row * static_cast<float>(every), 8.0f));
      list.AddText(ctx.fonts.text, size, {origin.x, y},
                   warp == ctx.focus.warp ? ctx.theme.selection : ctx.theme.dim,
                   tr("warp {0}", {std::to_string(warp)}).c_str());
    }
  }
  const float y = origin.y + row * static_cast<float>(ctx.focus.warp);
  list.AddRect({min.x - 1, y - 1}, {max.x + 1, y + row + 1}, ctx.theme.selection, 0, 0,
               1.5f * ctx.scale);
  const float x =
      min.x +
      unit * (static_cast<float>(state.axis.position(ctx.focus.warp, ctx.focus.step)) + 0.5f);
  list.AddLine({x, min.y - 2}, {x, max.y + 2}, ctx.theme.selection, 2 * ctx.scale);

  ImGui::SetCursorScreenPos(min);
  ImGui::InvisibleButton("tracks", {std::max(1.0f, max.x - min.x), std::max(1.0f, max.y - min.y)});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto at = [](float v, std::size_t count) {
      return static_cast<std::size_t>(std::clamp(v, 0.0f, static_cast<float>(count - 1)));
    };
    const auto warp = static_cast<std::uint32_t>(at((mouse.y - min.y) / row, warps));
    const std::size_t step = state.axis.step_at(
        warp, at((mouse.x - min.x) / unit, std::max<std::size_t>(1, state.axis.width())));
    track_tooltip(ctx, warp, step);
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::IsItemActive()) {
      if (warp != ctx.selection.warp) actions.push_back(SelectWarp{warp});
      actions.push_back(SelectStep{step});
    }
  }
}

}  // namespace

TrackAxis::TrackAxis(const KernelInfo& kernel, const BlockTrace& trace) {
  warps_.resize(trace.warps.size());
  std::size_t stretches = 0;
  for (std::size_t w = 0; w < trace.warps.size(); ++w) {
    warps_[w].push_back({0, 0});
    const WarpTrack& track = trace.warps[w];
    for (std::size_t i = 0; i < track.size(); ++i) {
      if (kernel.ops[track.op[i]].kind == StepKind::barrier && i + 1 < track.size())
        warps_[w].push_back({i + 1, 0});
    }
    steps_.push_back(track.size());
    stretches = std::max(stretches, warps_[w].size());
  }
  for (std::size_t s = 0; s < stretches; ++s) {
    std::size_t longest = 0;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      if (s >= warps_[w].size()) continue;
      const std::size_t end = s + 1 < warps_[w].size() ? warps_[w][s + 1].first_step : steps_[w];
      longest = std::max(longest, end - warps_[w][s].first_step);
      warps_[w][s].begin = width_;
    }
    width_ += longest;
  }
  // A barrier ends its stretch: shorter warps wait, so it is drawn at the stretch's right edge.
}

std::size_t TrackAxis::position(std::uint32_t warp, std::size_t step) const {
  if (warp >= warps_.size()) return 0;
  const auto& stretches = warps_[warp];
  std::size_t s = stretches.size() - 1;
  while (s > 0 && stretches[s].first_step > step) --s;
  const bool closes = s + 1 < stretches.size() && step + 1 == stretches[s + 1].first_step;
  return closes ? stretches[s + 1].begin - 1
                : stretches[s].begin + (step - stretches[s].first_step);
}

std::size_t TrackAxis::step_at(std::uint32_t warp, std::size_t position) const {
  if (warp >= warps_.size() || steps_[warp] == 0) return 0;
  const auto& stretches = warps_[warp];
  std::size_t s = stretches.size() - 1;
  while (s > 0 && stretches[s].begin > position) --s;
  const std::size_t end = s + 1 < stretches.size() ? stretches[s + 1].first_step : steps_[warp];
  return std::min(stretches[s].first_step + (position - stretches[s].begin),
                  std::max<std::size_t>(end, 1) - 1);
}

void draw_timeline(const ViewContext& ctx, TimelineState& state, Actions& actions) {
  if (!ctx.picture || !ctx.focus.track)
    return nothing_to_show(ctx, tr("No warp has been recorded yet."));
  if (state.serial != ctx.picture->serial || state.dark != ctx.theme.dark) rebuild(ctx, state);
  transport(ctx, state, actions);
  ImGui::SameLine();
  scrub(ctx, actions);
  advance(ctx, state, actions);
  // The words beside the mask want some 25 em; the mask must not change its size with them.
  const float width = ImGui::GetContentRegionAvail().x;
  const float mask = std::max(width - 25 * ImGui::GetFontSize(), width * 0.42f);
  mask_cells(ctx, std::floor(std::min(19 * ctx.scale, mask / kLanes)), actions);
  ImGui::SameLine(0, 12 * ctx.scale);
  ImGui::TextUnformatted(shortened(step_text(ctx), ImGui::GetContentRegionAvail().x).c_str());
  ImGui::SetItemTooltip("%s", tr("what the warp does at this step; the cells are its active mask"));
  ImGui::BeginChild("tracks", {0, 0});
  draw_tracks(ctx, state, actions);
  ImGui::EndChild();
}

}  // namespace lanescope::app
