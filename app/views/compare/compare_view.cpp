#include "views/compare/compare_view.h"

#include <algorithm>
#include <cmath>

#include "views/banks/banks_view.h"
#include "views/compare/mini_strip.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/sectors/sectors_view.h"

namespace lanescope::app {
namespace {

void refresh(const ViewContext& ctx, CompareState& state) {
  const Comparison& other = *ctx.comparison;
  const CompareState::Key key{ctx.picture->serial,  other.picture->serial, ctx.selection.warp,
                              other.selection.warp, ctx.selection.step,    other.selection.step,
                              ctx.selection.access, other.selection.access};
  if (state.key == key) return;
  state.key = key;
  state.numbers = differences(*ctx.picture, ctx.selection, *other.picture, other.selection);
  state.settings = setting_differences(*ctx.picture, *other.picture);
}

// The same window on the world, seen from the other side.
ViewContext other_side(const ViewContext& ctx, CompareState& state) {
  const Comparison& other = *ctx.comparison;
  return {.catalog = ctx.catalog,
          .settings = other.settings,
          .picture = other.picture.get(),
          .selection = other.selection,
          .status = ctx.status,
          .diagnostics = other.diagnostics,
          .advice = nullptr,
          .comparison = nullptr,
          .sweep = nullptr,
          .previous = nullptr,
          .program = ctx.program,
          .lab = ctx.lab,
          .can_undo = false,
          .can_redo = false,
          .focus = state.other.update(other.picture.get(), other.selection),
          .theme = ctx.theme,
          .fonts = ctx.fonts,
          .scale = ctx.scale,
          .lit = ctx.lit,
          .animating = ctx.animating};
}

void same_line_if_it_fits(const char* label) {
  const float width =
      ImGui::CalcTextSize(label).x + 4 * ImGui::GetStyle().FramePadding.x + ImGui::GetFontSize();
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

void draw_tools(const ViewContext& ctx, Actions& actions) {
  if (ctx.still) return;
  const Comparison& other = *ctx.comparison;
  if (ImGui::Button(tr("Swap sides"))) actions.push_back(SwapComparison{});
  same_line_if_it_fits(tr("Compare with something else"));
  if (ImGui::Button(tr("Compare with something else"))) actions.push_back(ClearComparison{});
  same_line_if_it_fits(tr("step together"));
  bool linked = other.linked;
  if (ImGui::Checkbox(tr("step together"), &linked)) actions.push_back(LinkComparison{linked});
  item_tooltip(tr("the right side follows: same warp, access and execution"));
  if (other.linked || !other.picture) return;
  ImGui::SameLine();
  if (icon_button(ctx, "other back", Icon::previous_access, tr("right side: previous access")))
    actions.push_back(MoveComparison{StepMove::previous_access});
  ImGui::SameLine(0, 3 * ctx.scale);
  if (icon_button(ctx, "other forward", Icon::next_access, tr("right side: next access")))
    actions.push_back(MoveComparison{StepMove::next_access});
}

std::string setting_text(const std::vector<SettingDifference>& settings, bool right) {
  std::string text;
  for (const SettingDifference& one : settings) {
    const std::string& value = right ? one.right : one.left;
    if (!value.empty()) text += (text.empty() ? "" : "  ") + one.name + "=" + value;
  }
  return text;
}

// Title, setting, result in a sentence, and the strip of the looked-at access.
void draw_side(const ViewContext& ctx, const std::string& setting, float height, Actions& actions) {
  const Picture& picture = *ctx.picture;
  ImGui::PushFont(ctx.fonts.strong, 0);
  wrapped_text(kernel_title(picture));
  ImGui::PopFont();
  hint(ctx, setting.empty() ? picture.prepared->settings.name : setting);
  const Execution* shown = ctx.focus.shown ? &*ctx.focus.shown : nullptr;
  if (!shown) {
    hint(ctx, ctx.focus.access ? tr("This warp never executes the selected access.")
                               : tr("No access here plays this part."));
    return;
  }
  if (shown->banks) {
    headline(ctx, banks_headline(*shown->banks),
             shown->banks->cost.conflicts ? ctx.theme.warning : ctx.theme.good);
  } else if (shown->sectors) {
    const GlobalCounts& cost = shown->sectors->cost;
    headline(ctx, sectors_headline(*shown->sectors),
             cost.sectors <= cost.ideal_sectors ? ctx.theme.good : ctx.theme.warning);
  }
  hint(ctx, access_title(*shown->access) + " · " + tr("warp {0}", {ctx.focus.warp}) + " · " +
                tr("line {0}", {shown->access->pos.line}));
  mini_strip(ctx, *shown, ImGui::GetContentRegionAvail().x, height, actions);
}

void draw_sides(const ViewContext& ctx, const ViewContext& other, const CompareState& state,
                Actions& actions) {
  const float height =
      std::clamp(ImGui::GetContentRegionAvail().y * 0.24f, 34 * ctx.scale, 160 * ctx.scale);
  if (!ImGui::BeginTable("sides", 2,
                         ImGuiTableFlags_SizingStretchSame | ImGuiTableFlags_BordersInnerV))
    return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID("left");
  draw_side(ctx, setting_text(state.settings, false), height, actions);
  ImGui::PopID();
  ImGui::TableNextColumn();
  ImGui::PushID("right");
  draw_side(other, setting_text(state.settings, true), height, actions);
  ImGui::PopID();
  ImGui::EndTable();
}

void draw_failure(const ViewContext& ctx) {
  const Comparison& other = *ctx.comparison;
  if (other.busy) return hint(ctx, tr("working …"));
  headline(ctx, tr("The other side cannot be run."), ctx.theme.error);
  hint(ctx, other.settings.name);
  for (const Diagnostic& diagnostic : other.diagnostics) {
    std::string text = message_of(diagnostic);
    if (diagnostic.line) text = tr("line {0}", {diagnostic.line}) + ": " + text;
    if (!diagnostic.hint.empty()) text += "\n" + hint_of(diagnostic);
    wrapped_text(text);
  }
}

}  // namespace

void draw_compare(const ViewContext& ctx, CompareState& state, Actions& actions) {
  if (!ctx.picture || !ctx.focus.trace)
    return nothing_to_show(ctx, tr("No block has been recorded yet."));
  if (!ctx.comparison) return draw_compare_picker(ctx, state, actions);
  ImGui::BeginChild("compare");
  draw_tools(ctx, actions);
  if (!ctx.comparison->picture) {
    draw_failure(ctx);
  } else {
    refresh(ctx, state);
    draw_sides(ctx, other_side(ctx, state), state, actions);
    if (ImGui::BeginTabBar("parts")) {
      if (ImGui::BeginTabItem((std::string(tr("Numbers")) + "###numbers").c_str())) {
        draw_compare_numbers(ctx, state, actions);
        ImGui::EndTabItem();
      }
      if (ImGui::BeginTabItem((std::string(tr("Text")) + "###text").c_str())) {
        draw_compare_text(ctx, state);
        ImGui::EndTabItem();
      }
      ImGui::EndTabBar();
    }
  }
  ImGui::EndChild();
}

}  // namespace lanescope::app
