#include "views/banks/banks_view.h"

#include <algorithm>

#include "views/banks/banks_stack.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

void play_controls(const ViewContext& ctx, BanksState& state, int count) {
  if (state.playing) {
    ctx.animating = true;
    if (ImGui::GetTime() >= state.next_at) {
      state.next_at = ImGui::GetTime() + 0.35;
      if (++state.shown > count) state.playing = false, state.shown = 0;
    }
  }
  if (icon_button(ctx, "wavefront before", Icon::back, tr("the wavefront before"))) {
    state.shown = state.shown > 0 ? state.shown - 1 : count;
    state.playing = false;
  }
  ImGui::SameLine(0, 3 * ctx.scale);
  if (icon_button(ctx, "play wavefronts", state.playing ? Icon::pause : Icon::play,
                  tr("play the wavefronts one after the other"))) {
    state.playing = !state.playing;
    state.next_at = ImGui::GetTime() + 0.35;
    if (state.playing && (state.shown == 0 || state.shown == count)) state.shown = 1;
  }
  ImGui::SameLine(0, 3 * ctx.scale);
  if (icon_button(ctx, "wavefront after", Icon::forward, tr("the wavefront after"))) {
    state.shown = state.shown < count ? state.shown + 1 : 0;
    state.playing = false;
  }
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  const std::string label =
      state.shown == 0
          ? tr("all {0} wavefronts", {std::to_string(count)})
          : tr("wavefront {0} of {1}", {std::to_string(state.shown), std::to_string(count)});
  if (ImGui::SliderInt("##wavefront", &state.shown, 0, count, label.c_str(),
                       ImGuiSliderFlags_AlwaysClamp)) {
    state.playing = false;
  }
}

// The strip, the lanes and the stack share the height: the stack comes first.
void draw_picture(const ViewContext& ctx, BanksState& state, const Execution& shown,
                  Actions& actions) {
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float strip = strip_height(ctx, state.strip) + line;
  const float enough =
      line + std::min(8.0f, static_cast<float>(shown.banks->wavefronts.size())) * 6 * ctx.scale;
  const float height = ImGui::GetContentRegionAvail().y;
  const bool room = height > strip + line + enough;
  if (strip > line && room &&
      ImGui::TreeNodeEx(tr("all shared accesses of the block, worst first"),
                        ImGuiTreeNodeFlags_DefaultOpen | ImGuiTreeNodeFlags_NoTreePushOnOpen)) {
    draw_strip(ctx, state.strip, actions);
  }
  if (ImGui::GetContentRegionAvail().y > 2 * line + enough)
    draw_served_lanes(ctx, shown, state.shown, actions);
  ImGui::BeginChild("stack", {0, 0});
  draw_stack(ctx, shown, state.shown, actions);
  ImGui::EndChild();
}

void start_over(const ViewContext& ctx, BanksState& state, const Execution& shown) {
  if (state.serial == ctx.picture->serial && state.warp == ctx.focus.warp &&
      state.step == shown.step)
    return;
  state.serial = ctx.picture->serial;
  state.warp = ctx.focus.warp;
  state.step = shown.step;
  state.shown = 0;
  state.playing = false;
}

}  // namespace

std::string banks_headline(const BankPlan& plan) {
  const std::string wavefronts = std::to_string(plan.cost.wavefronts);
  const std::string ideal = std::to_string(plan.cost.ideal_wavefronts);
  if (plan.cost.conflicts > 0) {
    return tr("{0}-way conflict: {1} wavefronts, ideal {2}",
              {std::to_string(plan.ways), wavefronts, ideal});
  }
  return plan.cost.wavefronts == 1
             ? tr("No conflict: 1 wavefront, ideal {0}", {ideal})
             : tr("No conflict: {0} wavefronts, ideal {1}", {wavefronts, ideal});
}

void draw_banks(const ViewContext& ctx, BanksState& state, Actions& actions) {
  if (!ctx.focus.access) return nothing_recorded(ctx, tr("Select an access to see its banks."));
  if (!ctx.focus.shown)
    return nothing_to_show(ctx, tr("This warp never executes the selected access."));
  const Execution* shown = ctx.focus.in(MemorySpace::shared);
  if (!shown) return nothing_to_show(ctx, tr("The selected access does not reach shared memory."));
  const BankPlan& plan = *shown->banks;
  const int count = static_cast<int>(plan.wavefronts.size());
  start_over(ctx, state, *shown);
  state.shown = std::min(state.shown, count);
  headline(ctx, banks_headline(plan), plan.cost.conflicts ? ctx.theme.warning : ctx.theme.good);
  std::string detail = access_title(*shown->access);
  if (plan.groups.size() > 1) {
    detail += " · " + tr("{0} bytes a lane: served as {1} groups",
                         {std::to_string(plan.bytes), std::to_string(plan.groups.size())});
  }
  if (plan.merged) detail += std::string(" · ") + tr("wide load, merged");
  hint(ctx, detail);
  ImGui::SetItemTooltip(
      "%s", tr("One row is one wavefront. Numbers are lanes; ×n is n lanes on one word."));
  if (count > 1) play_controls(ctx, state, count);
  draw_picture(ctx, state, *shown, actions);
}

}  // namespace lanescope::app
