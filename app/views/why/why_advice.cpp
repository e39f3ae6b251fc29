// What would help, each change counted before it is offered; and what came of the one taken last.
#include <fmt/format.h>

#include "views/draw/tr.h"

#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/why/why_view.h"
#include "views/why/why_words.h"

namespace lanescope::app {
namespace {

bool about_this(const ViewContext& ctx, int access) {
  return ctx.advice && ctx.advice->access == access && ctx.picture &&
         ctx.advice->settings == ctx.picture->prepared->settings;
}

void ask(const ViewContext& ctx, WhyState& state, int access, Actions& actions) {
  if (about_this(ctx, access) || ctx.status.busy || ctx.status.stale || !ctx.picture->whole) return;
  if (state.asked_serial == ctx.picture->serial && state.asked_access == access) return;
  state.asked_serial = ctx.picture->serial;
  state.asked_access = access;
  actions.push_back(RequestAdvice{});
}

Action action_of(const Change& change) {
  switch (change.kind) {
  case ChangeKind::parameter:
    return SetParameter{change.name, change.value};
  case ChangeKind::padding:
  case ChangeKind::swap:
  case ChangeKind::swizzle:
    return SetText{change.settings.text};
  default:
    return UseSettings{change.settings};
  }
}

void draw_suggestion(const ViewContext& ctx, WhyState& state, const Advice& advice,
                     const Suggestion& suggestion, std::size_t index, Actions& actions) {
  const std::string what = change_text(suggestion.change);
  if (ImGui::Button(fmt::format("{}###apply {}", what, index).c_str())) {
    state.applied = WhyState::Applied{what, advice.now, advice.goal, ctx.settings, {}};
    actions.push_back(action_of(suggestion.change));
  }
  item_tooltip(tr("apply it; Ctrl+Z takes it back"));
  std::string text = effect_text(advice.now, suggestion.after, advice.goal);
  if (const std::string after = after_text(suggestion); !after.empty()) text += " · " + after;
  if (advice.goal == AdviceGoal::sectors && suggestion.after.shared.conflicts > 0) {
    text += " · " + tr("{0} bank conflicts", {grouped(suggestion.after.shared.conflicts)});
  }
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.good);
  wrapped_text(text);
  ImGui::PopStyleColor();
  std::string kept = tr("counted over the whole grid");
  kept += " · " + result_text(suggestion.result);
  if (suggestion.change.kind == ChangeKind::kernel)
    kept = tr(suggestion.change.value.c_str()) + (" · " + kept);
  hint(ctx, kept);
}

void draw_swizzle_advice(const ViewContext& ctx, const SwizzleAdvice& advice) {
  const KernelInfo& kernel = ctx.picture->kernel();
  const std::string& array = kernel.shared_arrays[static_cast<std::size_t>(advice.array)].name;
  wrapped_text(swizzle_text(advice, array));
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.good);
  wrapped_text(swizzle_effect(advice));
  ImGui::PopStyleColor();
  hint(ctx, tr("counted, not executed: this block's recorded addresses swizzled, all {0} accesses "
               "of {1}",
               {advice.accesses, array}));
}

void draw_tried(const ViewContext& ctx, const Advice& advice) {
  if (advice.tried.empty() || !ImGui::TreeNode(tr("tried, does not help"))) return;
  for (const Suggestion& suggestion : advice.tried) {
    std::string text = change_text(suggestion.change) + ": " +
                       effect_text(advice.now, suggestion.after, advice.goal);
    if (suggestion.result == ResultState::wrong) text += " · " + result_text(suggestion.result);
    hint(ctx, text);
  }
  ImGui::TreePop();
}

}  // namespace

void draw_advice(const ViewContext& ctx, WhyState& state, int access, Actions& actions) {
  ask(ctx, state, access, actions);
  if (!about_this(ctx, access)) return;
  const Advice& advice = *ctx.advice;
  if (advice.goal == AdviceGoal::none) return;
  ImGui::SeparatorText(tr("What helps"));
  if (advice.swizzle) draw_swizzle_advice(ctx, *advice.swizzle);
  for (std::size_t i = 0; i < advice.suggestions.size(); ++i)
    draw_suggestion(ctx, state, advice, advice.suggestions[i], i, actions);
  if (!advice.finished && advice.done < advice.all) {
    hint(ctx, tr("trying {0} of {1} …", {advice.done + 1, advice.all}));
  } else if (advice.finished && advice.suggestions.empty() && !advice.swizzle) {
    hint(ctx, advice.all == 0 ? tr("No parameter, text or kernel was found that could be tried.")
                              : tr("Nothing that could be tried here helps."));
  }
  draw_tried(ctx, advice);
}

void draw_applied(const ViewContext& ctx, WhyState& state, Actions& actions) {
  if (!state.applied) return;
  WhyState::Applied& applied = *state.applied;
  if (!applied.to && !(ctx.settings == applied.from)) applied.to = ctx.settings;
  if (applied.to && !(ctx.settings == *applied.to)) return state.applied.reset();
  if (!applied.to) return;
  const bool there = ctx.picture && ctx.picture->whole && !ctx.status.stale && !ctx.status.busy;
  std::string text = applied.text + ": ";
  if (there) {
    const GridCost after = grid_cost(*ctx.picture->whole);
    text += effect_text(applied.before, after, applied.goal);
    const ResultCheck& check = ctx.picture->check;
    if (check.checked)
      text += " · " + std::string(check.correct ? tr("result correct") : tr("result wrong"));
  } else {
    text += tr("working …");
  }
  ImGui::PushStyleColor(ImGuiCol_Text, there ? ctx.theme.good : ctx.theme.dim);
  wrapped_text(text);
  ImGui::PopStyleColor();
  if (ctx.can_undo && ImGui::SmallButton(window_title("Undo", "take back").c_str()))
    actions.push_back(Undo{});
  ImGui::Separator();
}

}  // namespace lanescope::app
