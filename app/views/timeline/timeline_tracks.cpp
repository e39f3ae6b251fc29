// The tracks of the Timeline view: what each step of each warp costs, barriers above each other.
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/picture/trace_index.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/timeline/timeline_view.h"

namespace lanescope::app {
namespace {

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
    const SharedCounts cost = shared_cost(address, mask, access.bytes, access.service);
    return static_cast<double>(cost.wavefronts) /
           static_cast<double>(std::max<std::uint64_t>(1, cost.ideal_wavefronts));
  }
  if (space != MemorySpace::global) return 1;
  const GlobalCounts cost = global_cost(address, mask, access.bytes, access.service);
  return static_cast<double>(cost.sectors) /
         static_cast<double>(std::max<std::uint64_t>(1, cost.ideal_sectors));
}

// By warp and step, what the picture's index knows already: of accesses to shared memory. 0: it does not.
std::vector<std::vector<double>> known_costs(const Picture& picture, const BlockTrace& trace) {
  std::vector<std::vector<double>> costs(trace.warps.size());
  if (!picture.index) return costs;
  for (const SharedExecution& e : picture.index->shared()) {
    if (picture.kernel().accesses[e.access].space != MemorySpace::shared) continue;
    costs[e.warp].resize(trace.warps[e.warp].size());
    costs[e.warp][e.step] = static_cast<double>(e.wavefronts) / std::max<double>(1, e.ideal);
  }
  return costs;
}

void rebuild(const ViewContext& ctx, TimelineState& state) {
  const KernelInfo& kernel = ctx.picture->kernel();
  const BlockTrace& trace = *ctx.focus.trace;
  state.axis = TrackAxis(kernel, trace);
  const std::size_t width = std::clamp<std::size_t>(state.axis.width(), 1, kMaxTexels);
  const std::size_t units = std::max<std::size_t>(1, state.axis.width());
  std::vector<std::uint32_t> pixels(width * trace.warps.size(), 0);
  std::vector<double> worst(width);
  const std::vector<std::vector<double>> costs = known_costs(*ctx.picture, trace);
  for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
    std::fill(worst.begin(), worst.end(), 0.0);
    const WarpTrack& track = trace.warps[warp];
    const std::vector<std::size_t> positions = state.axis.positions(warp);
    for (std::size_t step = 0; step < track.size(); ++step) {
      const std::size_t x = positions[step] * width / units;
      std::uint32_t& pixel = pixels[warp * width + x];
      const OpInfo& op = kernel.ops[track.op[step]];
      if (op.kind == StepKind::barrier) {
        pixel = ctx.theme.barrier;
        worst[x] = 1e9;
      } else if (op.access >= 0) {
        const double ratio = costs[warp].empty() || costs[warp][step] == 0
                                 ? cost_ratio(kernel, trace, track, step)
                                 : costs[warp][step];
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

void track_tooltip(const ViewContext& ctx, std::uint32_t warp, std::size_t step) {
  const WarpTrack& track = ctx.focus.trace->warps[warp];
  if (step >= track.size()) return;
  const OpInfo& op = ctx.picture->kernel().ops[track.op[step]];
  std::string text = tr("warp {0}, step {1}, line {2}", {warp, step + 1, op.pos.line});
  if (op.access >= 0) {
    text += "\n" +
            access_title(ctx.picture->kernel().accesses[static_cast<std::size_t>(op.access)]) +
            "\n" +
            tr("{0} × ideal",
               {decimal(cost_ratio(ctx.picture->kernel(), *ctx.focus.trace, track, step))});
  }
  tooltip(text);
}

// Where the tracks are on screen.
struct TrackBox {
  ImVec2 min, max;
  /// Where their labels begin
  float left;
  /// Height of a track, width of a position
  float row, unit;
};

TrackBox box_of(const ViewContext& ctx, const TimelineState& state, std::uint32_t warps) {
  const ImVec2 space = ImGui::GetContentRegionAvail(), origin = ImGui::GetCursorScreenPos();
  const float label = ImGui::CalcTextSize(tr("warp {0}", {"00"}).c_str()).x + 8 * ctx.scale;
  const float row =
      row_height(space.y - 3, static_cast<float>(warps), 1.5f * ctx.scale, 22 * ctx.scale);
  const ImVec2 min{origin.x + label, origin.y},
      max{origin.x + space.x, origin.y + row * static_cast<float>(warps)};
  const float unit =
      (max.x - min.x) / static_cast<float>(std::max<std::size_t>(1, state.axis.width()));
  return {min, max, origin.x, row, unit};
}

void draw_labels(const ViewContext& ctx, const TrackBox& box, std::uint32_t warps) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto every = static_cast<std::uint32_t>(std::ceil(ImGui::GetTextLineHeight() / box.row));
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    const float y = box.min.y + box.row * static_cast<float>(warp);
    if (box.row >= 6) list.AddLine({box.min.x, y}, {box.max.x, y}, ctx.theme.canvas, 1);
    if (warp % every == 0 && y + ImGui::GetTextLineHeight() <= box.max.y + 4) {
      const float size = std::min(ImGui::GetFontSize() * 0.85f,
                                  std::max(box.row * static_cast<float>(every), 8.0f));
      list.AddText(ctx.fonts.text, size, {box.left, y},
                   warp == ctx.focus.warp ? ctx.theme.selection : ctx.theme.dim,
                   tr("warp {0}", {warp}).c_str());
    }
  }
}

// Around the selected warp, and across at its step.
void draw_selected(const ViewContext& ctx, const TimelineState& state, const TrackBox& box) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = box.min.y + box.row * static_cast<float>(ctx.focus.warp);
  list.AddRect({box.min.x - 1, y - 1}, {box.max.x + 1, y + box.row + 1}, ctx.theme.selection, 0, 0,
               1.5f * ctx.scale);
  const float x =
      box.min.x +
      box.unit * (static_cast<float>(state.axis.position(ctx.focus.warp, ctx.focus.step)) + 0.5f);
  list.AddLine({x, box.min.y - 2}, {x, box.max.y + 2}, ctx.theme.selection, 2 * ctx.scale);
}

void select_on_tracks(const ViewContext& ctx, const TimelineState& state, const TrackBox& box,
                      std::uint32_t warps, Actions& actions) {
  ImGui::SetCursorScreenPos(box.min);
  ImGui::InvisibleButton(
      "tracks", {std::max(1.0f, box.max.x - box.min.x), std::max(1.0f, box.max.y - box.min.y)});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto at = [](float v, std::size_t count) {
      return static_cast<std::size_t>(std::clamp(v, 0.0f, static_cast<float>(count - 1)));
    };
    const auto warp = static_cast<std::uint32_t>(at((mouse.y - box.min.y) / box.row, warps));
    const std::size_t step = state.axis.step_at(
        warp, at((mouse.x - box.min.x) / box.unit, std::max<std::size_t>(1, state.axis.width())));
    track_tooltip(ctx, warp, step);
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && ImGui::IsItemActive()) {
      if (warp != ctx.selection.warp) actions.push_back(SelectWarp{warp});
      actions.push_back(SelectStep{step});
    }
  }
}

}  // namespace

void draw_tracks(const ViewContext& ctx, TimelineState& state, Actions& actions) {
  if (state.serial != ctx.picture->serial || state.dark != ctx.theme.dark) rebuild(ctx, state);
  const auto warps = static_cast<std::uint32_t>(ctx.focus.trace->warps.size());
  if (!warps) return;
  const TrackBox box = box_of(ctx, state, warps);
  state.tracks.draw_sharp(*ImGui::GetWindowDrawList(), box.min, box.max);
  draw_labels(ctx, box, warps);
  draw_selected(ctx, state, box);
  select_on_tracks(ctx, state, box, warps, actions);
}

}  // namespace lanescope::app
