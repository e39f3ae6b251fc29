#include "views/why/why_view.h"

#include <algorithm>
#include <cmath>

#include "core/picture/trace_index.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/why/why_words.h"

namespace lanescope::app {
namespace {

void say(const ViewContext& ctx, const Sentence& sentence) {
  ImGui::PushTextWrapPos(0);
  ImGui::Bullet();
  ImGui::TextUnformatted(sentence.text.c_str());
  ImGui::PopTextWrapPos();
  if (!sentence.definition || !ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort)) return;
  if (!ImGui::BeginTooltip()) return;
  ImGui::PushTextWrapPos(360 * ctx.scale);
  ImGui::TextUnformatted(tr(sentence.definition));
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

// --- drawings ---

struct Strip {
  ImVec2 origin;
  float label, cell, row, text;
  [[nodiscard]] ImVec2 min(int column, int line) const {
    return {origin.x + label + cell * static_cast<float>(column),
            origin.y + row * static_cast<float>(line)};
  }
  [[nodiscard]] ImVec2 max(int column, int line) const {
    const ImVec2 corner = min(column + 1, line + 1);
    return {corner.x - 1, corner.y - 2};
  }
};

Strip strip_of(const ViewContext& ctx, int rows) {
  const float size = ImGui::GetFontSize();
  const float label =
      std::max(ImGui::CalcTextSize(tr("lane")).x, ImGui::CalcTextSize(tr("words")).x) +
      8 * ctx.scale;
  const float width = ImGui::GetContentRegionAvail().x - label;
  Strip strip{ImGui::GetCursorScreenPos(), label, 0, std::round(size * 1.25f), 0};
  strip.cell = std::floor(std::min(width / kLanes, 26 * ctx.scale));
  strip.text = fitting_size(ctx.fonts.text, size * 0.85f, strip.cell - 1, strip.row, kWidestLane);
  ImGui::Dummy({label + strip.cell * kLanes, strip.row * static_cast<float>(rows)});
  return strip;
}

void strip_label(const ViewContext& ctx, const Strip& strip, int line, const char* text) {
  const ImVec2 at = strip.min(0, line);
  ImGui::GetWindowDrawList()->AddText({at.x - strip.label, at.y}, ctx.theme.dim, text);
}

// Each lane in the colour of its bank; those that wait for the worst bank stand out.
void lane_row(const ViewContext& ctx, const Strip& strip, int line, const Execution& shown,
              const SharedWhy& why, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  strip_label(ctx, strip, line, tr("lane"));
  for (int lane = 0; lane < kLanes; ++lane) {
    const ImVec2 min = strip.min(lane, line), max = strip.max(lane, line);
    if (!shown.active(lane)) {
      list.AddRectFilled(min, max, ctx.theme.empty);
      continue;
    }
    const auto address = shown.address[static_cast<std::size_t>(lane)];
    const ImU32 color = bank_color(static_cast<int>(address / kBankBytes % kBanks));
    const bool waits = why.cost.conflicts == 0 || (why.worst_lanes >> lane & 1u) != 0;
    list.AddRectFilled(min, max, waits ? color : faded(color, 0.25f));
    text_in_box(list, ctx.fonts.text, strip.text, 7 * ctx.scale, min, max,
                waits ? text_on(color) : ctx.theme.dim, std::to_string(lane));
    if (ctx.focus.lit_lane == lane) {
      outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
      ctx.lit.add("why", lane, address);
    }
    lane_item(ctx, lane, &shown, min, max, actions);
  }
}

// How many different words each bank serves in the group that waits longest.
void bank_row(const ViewContext& ctx, const Strip& strip, int line, const BankPlan& plan,
              const SharedWhy& why) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  strip_label(ctx, strip, line, tr("words"));
  std::array<int, kBanks> words{};
  for (const Wavefront& wavefront : plan.wavefronts) {
    const LaneMask group = plan.groups[static_cast<std::size_t>(wavefront.group)];
    if ((group & why.worst_lanes) == 0) continue;
    for (const BankWord& word : wavefront.words) ++words[static_cast<std::size_t>(word.bank)];
  }
  for (int bank = 0; bank < kBanks; ++bank) {
    const ImVec2 min = strip.min(bank, line), max = strip.max(bank, line);
    const int count = words[static_cast<std::size_t>(bank)];
    const ImU32 color = count ? heat_color(count) : ctx.theme.empty;
    list.AddRectFilled(min, max, color);
    if (count) {
      text_in_box(list, ctx.fonts.text, strip.text, 7 * ctx.scale, min, max, text_on(color),
                  std::to_string(count));
    }
    if (ImGui::IsMouseHoveringRect(min, max) && ImGui::IsWindowHovered()) {
      ImGui::SetTooltip("%s", tr("bank {0}: {1} different words to serve",
                                 {std::to_string(bank), std::to_string(count)})
                                  .c_str());
    }
  }
}

void group_row(const ViewContext& ctx, const Strip& strip, int line, const BankPlan& plan) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    const LaneMask group = plan.groups[i];
    const int first = std::countr_zero(group), last = std::bit_width(group) - 1;
    const ImVec2 min = strip.min(first, line), max = strip.max(last, line);
    list.AddRect(min, max, ctx.theme.barrier, 3 * ctx.scale, 0, 1.5f * ctx.scale);
    text_in_box(list, ctx.fonts.text, ImGui::GetFontSize() * 0.8f, 7 * ctx.scale, min, max,
                ctx.theme.text, tr("group {0}", {std::to_string(i + 1)}));
  }
}

void draw_shared(const ViewContext& ctx, const Execution& shown, const SharedWhy& why,
                 Actions& actions) {
  const BankPlan& plan = *shown.banks;
  const bool grouped_lanes = plan.groups.size() > 1;
  const Strip strip = strip_of(ctx, grouped_lanes ? 3 : 2);
  int line = 0;
  if (grouped_lanes) group_row(ctx, strip, line++, plan);
  lane_row(ctx, strip, line++, shown, why, actions);
  bank_row(ctx, strip, line, plan, why);
}

// Bytes asked for against bytes moved.
void draw_global(const ViewContext& ctx, const GlobalWhy& why) {
  if (!why.bytes_moved) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const float width = std::min(ImGui::GetContentRegionAvail().x, 640 * ctx.scale);
  const float height = std::round(ImGui::GetFontSize() * 1.25f);
  const float part =
      width * static_cast<float>(why.bytes_used) / static_cast<float>(why.bytes_moved);
  list.AddRectFilled(min, {min.x + width, min.y + height}, ctx.theme.wasted);
  list.AddRectFilled(min, {min.x + part, min.y + height}, ctx.theme.used);
  ImGui::Dummy({width, height});
  legend(ctx, {{ctx.theme.used, tr("asked for")}, {ctx.theme.wasted, tr("moved in vain")}});
}

// --- what to do ---

void say_totals(const ViewContext& ctx, int access, MemorySpace space) {
  const RunResult& run = ctx.picture->whole ? *ctx.picture->whole : ctx.picture->inspected;
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

bool about_this(const ViewContext& ctx, int access) {
  return ctx.advice && ctx.advice->access == access && ctx.picture &&
         ctx.advice->settings == ctx.picture->settings;
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
    return SetText{change.settings.text};
  default:
    return UseSettings{change.settings};
  }
}

void draw_suggestion(const ViewContext& ctx, WhyState& state, const Advice& advice,
                     const Suggestion& suggestion, std::size_t index, Actions& actions) {
  const std::string what = change_text(suggestion.change);
  if (ImGui::Button((what + "###apply " + std::to_string(index)).c_str())) {
    state.applied = WhyState::Applied{what, advice.now, advice.goal, ctx.settings, {}};
    actions.push_back(action_of(suggestion.change));
  }
  ImGui::SetItemTooltip("%s", tr("apply it; Ctrl+Z takes it back"));
  std::string text = effect_text(advice.now, suggestion.after, advice.goal);
  if (const std::string after = after_text(suggestion); !after.empty()) text += " · " + after;
  if (advice.goal == AdviceGoal::sectors && suggestion.after.shared.conflicts > 0) {
    text += " · " + tr("{0} bank conflicts", {grouped(suggestion.after.shared.conflicts)});
  }
  ImGui::PushTextWrapPos(0);
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.good);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  std::string kept = tr("counted over the whole grid");
  kept += " · " + result_text(suggestion.result);
  if (suggestion.change.kind == ChangeKind::kernel)
    kept = tr(suggestion.change.value.c_str()) + (" · " + kept);
  hint(ctx, kept);
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

void draw_advice(const ViewContext& ctx, WhyState& state, int access, Actions& actions) {
  if (!about_this(ctx, access)) return;
  const Advice& advice = *ctx.advice;
  if (advice.goal == AdviceGoal::none) return;
  ImGui::SeparatorText(tr("What helps"));
  for (std::size_t i = 0; i < advice.suggestions.size(); ++i)
    draw_suggestion(ctx, state, advice, advice.suggestions[i], i, actions);
  if (!advice.finished && advice.done < advice.all) {
    hint(ctx,
         tr("trying {0} of {1} …", {std::to_string(advice.done + 1), std::to_string(advice.all)}));
  } else if (advice.finished && advice.suggestions.empty()) {
    hint(ctx, advice.all == 0 ? tr("No parameter, text or kernel was found that could be tried.")
                              : tr("Nothing that could be tried here helps."));
  }
  draw_tried(ctx, advice);
}

// What came of the suggestion that was taken; gone when anything else changes.
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
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  if (ctx.can_undo && ImGui::SmallButton(window_title("Undo", "take back").c_str()))
    actions.push_back(Undo{});
  ImGui::Separator();
}

// From an access that is fine to the one that is not.
void point_to_worst(const ViewContext& ctx, Actions& actions) {
  const int worst = worst_access(*ctx.picture);
  if (worst < 0 || worst == ctx.selection.access) return;
  const AccessInfo& access = ctx.picture->kernel().accesses[static_cast<std::size_t>(worst)];
  ImGui::Spacing();
  hint(ctx, tr("The access that costs most above its ideal is in line {0}:",
               {std::to_string(access.pos.line)}));
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

void draw_cause(const ViewContext& ctx, const WhyState& state, Actions& actions) {
  const Execution& shown = *ctx.focus.shown;
  std::vector<Sentence> sentences;
  if (shown.banks) {
    const SharedWhy& why = state.shared;
    headline(ctx, why_headline(why), why.cost.conflicts ? ctx.theme.warning : ctx.theme.good);
    hint(ctx, access_title(*shown.access));
    draw_shared(ctx, shown, why, actions);
    sentences = why_sentences(why);
  } else if (shown.sectors) {
    const GlobalWhy& why = state.global;
    const bool good = why.cost.sectors <= why.cost.ideal_sectors;
    headline(ctx, why_headline(why), good ? ctx.theme.good : ctx.theme.warning);
    hint(ctx, access_title(*shown.access));
    draw_global(ctx, why);
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
    nothing_to_show(ctx, tr("No access has been selected yet."));
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
    ask(ctx, state, access, actions);
    draw_advice(ctx, state, access, actions);
    if (goal_of(*ctx.picture, access) == AdviceGoal::none) point_to_worst(ctx, actions);
  }
  ImGui::EndChild();
}

}  // namespace lanescope::app
