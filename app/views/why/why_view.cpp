#include "views/why/why_view.h"

#include "core/picture/trace_index.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/why/why_words.h"

namespace lanescope::app {
namespace {

void say(const ViewContext& ctx, const Sentence& sentence) {
  ImGui::Bullet();
  wrapped_text(sentence.text);
  if (!sentence.definition || !ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort)) return;
  if (!ImGui::BeginTooltip()) return;
  wrapped_text(tr(sentence.definition), tooltip_end(360 * ctx.scale));
  ImGui::EndTooltip();
}

void say_totals(const ViewContext& ctx, int access, MemorySpace space) {
  const RunResult& run = ctx.picture->counted();
  if (access < 0 || access >= static_cast<int>(run.accesses.size())) return;
  const AccessCounts& counts = run.accesses[static_cast<std::size_t>(access)];
  const std::string where = ctx.picture->whole ? tr("Whole grid") : tr("Inspected block");
  if (space == MemorySpace::shared) {
    hint(ctx, tr("{0}: {1} requests, {2} wavefronts, {3} conflicts",
                 {where, grouped(counts.shared.requests), grouped(counts.shared.wavefronts),
                  grouped(counts.shared.conflicts)}));
  } else {
    hint(ctx, tr("{0}: {1} requests, {2} sectors, ideal {3}",
                 {where, grouped(counts.global.requests), grouped(counts.global.sectors),
                  grouped(counts.global.ideal_sectors)}));
  }
}

// From an access that is fine to the one that is not.
void point_to_worst(const ViewContext& ctx, Actions& actions) {
  const int worst = worst_access(*ctx.picture);
  if (worst < 0 || worst == ctx.selection.access) return;
  const AccessInfo& access = ctx.picture->kernel().accesses[static_cast<std::size_t>(worst)];
  ImGui::Spacing();
  hint(ctx, tr("The access that costs most above its ideal is in line {0}:", {access.pos.line}));
  if (ImGui::Button((access_title(access) + "###worst").c_str()))
    actions.push_back(SelectAccess{worst});
}

// How many of the access's executions in the inspected block conflict.
void count_executions(const ViewContext& ctx, WhyState& state, int access) {
  state.conflicting = state.executions = 0;
  if (!ctx.picture->index) return;
  for (const SharedExecution& e : ctx.picture->index->shared()) {
    if (static_cast<int>(e.access) != access) continue;
    ++state.executions;
    state.conflicting += e.conflicts > 0;
  }
}

void find_out(const ViewContext& ctx, WhyState& state) {
  const Execution& shown = *ctx.focus.shown;
  const int access = static_cast<int>(shown.access->id);
  if (state.serial == ctx.picture->serial && state.warp == ctx.focus.warp &&
      state.step == shown.step && state.access == access)
    return;
  if (shown.banks) state.shared = explain_shared(shown.address, shown.mask, *shown.banks);
  if (shown.sectors)
    state.global = explain_global(shown.address, shown.mask, shown.access->bytes, *shown.sectors);
  if (state.serial != ctx.picture->serial || state.access != access)
    count_executions(ctx, state, access);
  state.serial = ctx.picture->serial;
  state.warp = ctx.focus.warp;
  state.step = shown.step;
  state.access = access;
}

// A pitch that was tried and helps; 0 for none.
std::uint64_t suggested_pitch(const ViewContext& ctx, int access) {
  if (!ctx.advice || ctx.advice->access != access) return 0;
  for (const Suggestion& suggestion : ctx.advice->suggestions) {
    if (suggestion.change.kind == ChangeKind::parameter && suggestion.equation)
      return suggestion.equation->pitch;
  }
  return 0;
}

// As Banks has it; lanes served in groups, or in no known array, need a row of their own.
void draw_shared(const ViewContext& ctx, WhyState& state, const Execution& shown,
                 Actions& actions) {
  const bool known =
      bank_equation(*ctx.picture, *shown.access, shown.address, shown.mask).has_value();
  if (!known || shown.banks->groups.size() > 1) draw_why_shared(ctx, shown, state.shared, actions);
  if (!known) return;
  bank_card(ctx, shown, state.card, suggested_pitch(ctx, static_cast<int>(shown.access->id)), "why",
            actions);
  bank_card_legend(ctx);
}

void draw_cause(const ViewContext& ctx, WhyState& state, Actions& actions) {
  const Execution& shown = *ctx.focus.shown;
  std::vector<Sentence> sentences;
  if (shown.banks) {
    const SharedWhy& why = state.shared;
    headline(ctx, why_headline(why), why.cost.conflicts ? ctx.theme.warning : ctx.theme.good);
    hint(ctx, access_title(*shown.access));
    draw_shared(ctx, state, shown, actions);
    sentences = why_sentences(why);
  } else if (shown.sectors) {
    const GlobalWhy& why = state.global;
    const bool good = why.cost.sectors <= why.cost.ideal_sectors;
    headline(ctx, why_headline(why), good ? ctx.theme.good : ctx.theme.warning);
    hint(ctx, access_title(*shown.access));
    draw_why_global(ctx, why);
    sentences = why_sentences(why, shown.access->op);
  } else {
    hint(ctx, tr("Local and constant memory have neither banks nor sectors here."));
  }
  for (const Sentence& sentence : sentences) say(ctx, sentence);
}

}  // namespace

void draw_why(const ViewContext& ctx, WhyState& state, Actions& actions) {
  ImGui::BeginChild("why", {0, 0});
  draw_applied(ctx, state, actions);
  if (!ctx.focus.access || !ctx.picture) {
    nothing_recorded(ctx, tr("No access has been selected yet."));
  } else if (!ctx.focus.shown) {
    nothing_to_show(ctx, tr("This warp never executes the selected access."));
  } else {
    find_out(ctx, state);
    const int access = static_cast<int>(ctx.focus.shown->access->id);
    draw_cause(ctx, state, actions);
    if (ctx.focus.shown->banks && state.executions > 0) {
      hint(ctx, tr("{0} of {1} executions in this block conflict",
                   {grouped(state.conflicting), grouped(state.executions)}));
    }
    say_totals(ctx, access, ctx.focus.shown->space);
    draw_advice(ctx, state, access, actions);
    if (goal_of(*ctx.picture, access) == AdviceGoal::none) point_to_worst(ctx, actions);
  }
  ImGui::EndChild();
}

}  // namespace lanescope::app
