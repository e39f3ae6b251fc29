#include "views/banks/banks_view.h"

#include <algorithm>

#include "views/banks/banks_bins.h"
#include "views/banks/banks_engine.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr float kBeside = 900;      // units wide from which bins and equation stand side by side
constexpr float kLeastSlider = 90;  // units
constexpr float kTall = 0.5f;       // height to width from which a wide view has the equation below
constexpr float kCardLines = 12;    // of text, as high as the equation and its two pitches are
constexpr float kDetail = 150;      // units beside the headline that the access's name wants
constexpr float kTile = 70;         // units that the tile's rows want

std::string wavefront_text(const BanksState& state, int count) {
  return state.shown == 0 ? tr("all {0} wavefronts", {count})
                          : tr("wavefront {0} of {1}", {state.shown, count});
}

void play_controls(const ViewContext& ctx, BanksState& state, int count) {
  if (state.playing) {
    ctx.animating = true;
    if (ImGui::GetTime() >= state.next_at) {
      state.next_at = ImGui::GetTime() + 0.35;
      if (++state.shown > count) state.playing = false, state.shown = 0;
    }
  }
  // Where not all of it has room, playing stays.
  const float button = 1.25f * ImGui::GetFrameHeight() + 3 * ctx.scale;
  const float rest = ImGui::GetContentRegionAvail().x - 3 * button;
  const bool steps = rest >= 0;
  if (steps && icon_button(ctx, "wavefront before", Icon::back, tr("the wavefront before"))) {
    state.shown = state.shown > 0 ? state.shown - 1 : count;
    state.playing = false;
  }
  if (steps) ImGui::SameLine(0, 3 * ctx.scale);
  if (icon_button(ctx, "play wavefronts", state.playing ? Icon::pause : Icon::play,
                  tr("play the wavefronts one after the other"))) {
    state.playing = !state.playing;
    state.next_at = ImGui::GetTime() + 0.35;
    if (state.playing && (state.shown == 0 || state.shown == count)) state.shown = 1;
  }
  if (steps) ImGui::SameLine(0, 3 * ctx.scale);
  if (steps && icon_button(ctx, "wavefront after", Icon::forward, tr("the wavefront after"))) {
    state.shown = state.shown < count ? state.shown + 1 : 0;
    state.playing = false;
  }
  if (rest < kLeastSlider * ctx.scale) return;
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  if (ImGui::SliderInt("##wavefront", &state.shown, 0, count, wavefront_text(state, count).c_str(),
                       ImGuiSliderFlags_AlwaysClamp)) {
    state.playing = false;
  }
}

// The tile, or the lanes where it has no rows, and the bins under it.
void draw_fall(const ViewContext& ctx, BanksState& state, const Execution& shown,
               Actions& actions) {
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float spare = ImGui::GetContentRegionAvail().y - least_bins(ctx, *shown.banks);
  const BankColumns columns = bank_columns();
  follow_tile(ctx, state.tile, shown);
  const float tile = std::min(spare, ImGui::GetContentRegionAvail().y * 0.45f);
  if (state.tile.array >= 0 && tile > 1.1f * static_cast<float>(state.tile.drawn.size())) {
    draw_tile(ctx, state.tile, shown, state.shown, columns, tile, actions);
  } else if (spare > line) {
    draw_served_lanes(ctx, shown, state.shown, columns, actions);
  }
  ImGui::BeginChild("bins", {0, 0});
  draw_bins(ctx, shown, state.shown, columns, actions);
  ImGui::EndChild();
}

// The bins come first; the strip and the equation are seen where there is room for them too.
void draw_picture(const ViewContext& ctx, BanksState& state, const Execution& shown, bool beside,
                  Actions& actions) {
  const float strip = strip_height(ctx, state.strip) + ImGui::GetTextLineHeightWithSpacing();
  const float height = ImGui::GetContentRegionAvail().y;
  const bool room = height > strip + least_bins(ctx, *shown.banks) + kTile * ctx.scale;
  if (strip > ImGui::GetTextLineHeightWithSpacing() && room &&
      ImGui::TreeNodeEx(tr("all shared accesses of the block, worst first"),
                        ImGuiTreeNodeFlags_DefaultOpen | ImGuiTreeNodeFlags_NoTreePushOnOpen)) {
    draw_strip(ctx, state.strip, actions);
  }
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const bool below = beside && space.y > kTall * space.x;
  if (beside || !state.equation) {
    const ImVec2 fall{beside && !below ? space.x * 0.55f : 0,
                      below ? space.y - kCardLines * ImGui::GetTextLineHeightWithSpacing() : 0};
    ImGui::BeginChild("fall", fall);
    draw_fall(ctx, state, shown, actions);
    ImGui::EndChild();
  }
  if (beside && !below) ImGui::SameLine(0, 16 * ctx.scale);
  if (!beside && !state.equation) return;
  ImGui::BeginChild("equation", {0, 0});
  bank_card(ctx, shown, state.card, 0, "banks", actions);
  if (!bank_equation(*ctx.picture, *shown.access, shown.address, shown.mask))
    hint(ctx, tr("The lanes reach no array that is known."));
  else
    bank_card_legend_if_whole(ctx);
  ImGui::EndChild();
}

// What pads the tile's rows, within reach of the bins that it shears.
void padding_stepper(const ViewContext& ctx, Actions& actions) {
  const TunableParameter* padding = padding_parameter(ctx);
  if (!padding) return;
  long long value = parameter_value(ctx, *padding);
  const long long before = value;
  ImGui::PushID("padding");
  ImGui::SetNextItemWidth(86 * ctx.scale);
  const bool held = still_held("##value");
  ImGui::SliderScalar("##value", ImGuiDataType_S64, &value, &padding->min, &padding->max,
                      (padding->name + " = %lld").c_str(), ImGuiSliderFlags_AlwaysClamp);
  item_tooltip(tr(padding->title.c_str()));
  if (value != before) actions.push_back(SetParameter{padding->name, std::to_string(value), held});
  ImGui::PopID();
  ImGui::SameLine();
}

void controls(const ViewContext& ctx, BanksState& state, int count, bool beside, Actions& actions) {
  if (ctx.still) {
    if (count > 1 && (beside || !state.equation)) hint(ctx, wavefront_text(state, count));
    return;
  }
  if (!beside) {
    if (ImGui::Button(state.equation ? window_title("bins", "equation").c_str()
                                     : window_title("equation", "equation").c_str()))
      state.equation = !state.equation;
    ImGui::SameLine();
  }
  padding_stepper(ctx, actions);
  if (count > 1 && (beside || !state.equation)) {
    play_controls(ctx, state, count);
  } else {
    ImGui::NewLine();
  }
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
  const auto wavefronts = plan.cost.wavefronts;
  const auto ideal = plan.cost.ideal_wavefronts;
  if (plan.cost.conflicts > 0) {
    return tr("{0}-way conflict: {1} wavefronts, ideal {2}", {plan.ways, wavefronts, ideal});
  }
  return plan.cost.wavefronts == 1
             ? tr("No conflict: 1 wavefront, ideal {0}", {ideal})
             : tr("No conflict: {0} wavefronts, ideal {1}", {wavefronts, ideal});
}

void draw_banks(const ViewContext& ctx, BanksState& state, Actions& actions) {
  if (!ctx.focus.access) return nothing_recorded(ctx, tr("Select an access to see its banks."));
  if (ctx.focus.access->op == AccessOp::product) return draw_product_banks(ctx);
  if (is_of_engine(ctx.focus.access->op)) return draw_copy_banks(ctx);
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
    detail +=
        " · " + tr("{0} bytes a lane: served as {1} groups", {plan.bytes, plan.groups.size()});
  }
  if (plan.merged) detail += std::string(" · ") + tr("wide load, merged");
  const float left = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  const float rest = ImGui::GetWindowWidth() - left - 26 * ctx.scale;
  if (rest > kDetail * ctx.scale) {
    ImGui::SameLine(0, 14 * ctx.scale);
    hint(ctx, shortened(detail, rest));
  } else {
    hint(ctx, detail);
  }
  item_tooltip(
      tr("A stack is as high as the wavefronts that its bank needs. Numbers are lanes; ×n is n "
         "lanes on one word."));
  const bool beside = ImGui::GetContentRegionAvail().x > kBeside * ctx.scale;
  controls(ctx, state, count, beside, actions);
  draw_picture(ctx, state, *shown, beside, actions);
}

}  // namespace lanescope::app
