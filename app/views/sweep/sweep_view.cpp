#include "views/sweep/sweep_view.h"

#include <algorithm>

#include "imgui_stdlib.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/sweep/sweep_map.h"

namespace lanescope::app {
namespace {

constexpr int kFramesBeforeStart = 3;  // tabs flicker while a layout settles

SweepState::Axis axis_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void choose_axes(const ViewContext& ctx, SweepState& state, const FrontMatter& matter) {
  state = {.of = ctx.settings.name,
           .metric = state.metric,
           .last_frame = state.last_frame,
           .frames_in_sight = state.frames_in_sight};
  for (const std::string& text : suggested_axes(ctx.settings, matter))
    state.axes.push_back(axis_from(text));
}

Settings with_arguments(Settings settings, const std::map<std::string, std::string>& arguments) {
  for (const auto& [name, value] : arguments) settings.arguments[name] = value;
  return settings;
}

// A plan for the settings as they are; the old one while they are one of its cells.
void make_plan(const ViewContext& ctx, SweepState& state) {
  const bool same = state.planned == ctx.settings && state.planned_axes == state.axes &&
                    state.planned_at == state.recorded_at;
  if (same) return;
  const bool same_axes = state.planned_axes == state.axes && state.planned_at == state.recorded_at;
  state.planned = ctx.settings;
  const Settings base = with_arguments(ctx.settings, state.recorded_at);
  if (same_axes && state.plan && state.plan->find(base)) return;
  state.planned_axes = state.axes;
  state.planned_at = state.recorded_at;
  state.errors.clear();
  std::vector<std::string> texts;
  for (const SweepState::Axis& axis : state.axes) texts.push_back(axis.name + "=" + axis.values);
  SweepPlanResult planned = plan_sweep(base, ctx.catalog, texts);
  state.errors = std::move(planned.diagnostics);
  state.plan = planned.plan ? std::make_shared<const SweepPlan>(std::move(*planned.plan)) : nullptr;
}

void same_line_if_it_fits(float width) {
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

float combo_width(const char* longest) {
  return ImGui::CalcTextSize(longest).x + ImGui::GetFrameHeight() +
         2 * ImGui::GetStyle().FramePadding.x;
}

void draw_axis(const ViewContext& ctx, SweepState& state, const FrontMatter& matter,
               std::size_t index, const char* role) {
  const bool used = index < state.axes.size();
  const std::string name = used ? state.axes[index].name : tr("none");
  const float text = ImGui::GetFontSize();
  const float names = std::max(combo_width(name.c_str()), text * 4.5f), values = text * 7;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = ImGui::CalcTextSize(role).x + names + (used ? values : 0) + 2 * gap;
  if (index > 0) same_line_if_it_fits(width);
  ImGui::PushID(static_cast<int>(index));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(role);
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(names);
  if (ImGui::BeginCombo("##axis", name.c_str())) {
    if (index > 0 && ImGui::Selectable(tr("none"), !used) && used)
      state.axes.resize(index);  // an axis after it would have no place
    for (const std::string& candidate : sweep_names(ctx.settings, matter)) {
      const auto other =
          std::find_if(state.axes.begin(), state.axes.end(),
                       [&](const SweepState::Axis& axis) { return axis.name == candidate; });
      if (!ImGui::Selectable(candidate.c_str(), candidate == name)) continue;
      if (other != state.axes.end() && used) {
        std::swap(*other, state.axes[index]);
      } else if (other == state.axes.end()) {
        if (!used) state.axes.emplace_back();
        state.axes[std::min(index, state.axes.size() - 1)] = {
            candidate, suggested_values(ctx.settings, matter, candidate)};
      }
      state.typed.clear();
    }
    ImGui::EndCombo();
  }
  if (used && index < state.axes.size()) {
    state.typed.resize(std::max(state.typed.size(), state.axes.size()));
    std::string& typed = state.typed[index];
    if (typed.empty()) typed = state.axes[index].values;
    ImGui::SameLine(0, gap);
    ImGui::SetNextItemWidth(values);
    ImGui::InputText("##values", &typed);
    if (ImGui::IsItemDeactivatedAfterEdit()) state.axes[index].values = typed;
    item_tooltip(tr("values: A,B,C or ranges A..B, A..B..STEP, A..B*FACTOR; Enter applies them"));
    if (!ImGui::IsItemActive() && typed != state.axes[index].values)
      typed = state.axes[index].values;
  }
  ImGui::PopID();
}

void draw_axes(const ViewContext& ctx, SweepState& state, const FrontMatter& matter) {
  for (std::size_t i = 0; i < std::min(state.axes.size() + 1, kMostSweepAxes); ++i)
    draw_axis(ctx, state, matter, i, i == 0 ? tr("rows") : i == 1 ? tr("columns") : tr("tables"));
}

void draw_metric(SweepState& state, SweepMetric shown) {
  float width = 0;
  for (const SweepMetric metric : kSweepMetrics)
    width = std::max(width, combo_width(metric_title(metric)));
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  same_line_if_it_fits(width + ImGui::CalcTextSize(tr("show")).x + gap);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(tr("show"));
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##metric", metric_title(shown), ImGuiComboFlags_HeightLargest)) return;
  for (const SweepMetric metric : kSweepMetrics)
    if (ImGui::Selectable(metric_title(metric), metric == shown)) state.metric = metric;
  ImGui::EndCombo();
}

std::string texts(const std::map<std::string, std::string>& values) {
  std::string result;
  for (const auto& [name, value] : values)
    result += (result.empty() ? "" : " ") + name + "=" + value;
  return result;
}

void draw_recorded(SweepState& state, const Sweep* sweep) {
  if (sweep && !sweep->elsewhere.empty()) state.elsewhere = sweep->elsewhere;
  bool at = !state.recorded_at.empty();
  if (!at && (!sweep || sweep->elsewhere.empty())) return;
  const std::string label =
      tr("at {0}, where times were recorded", {texts(at ? state.recorded_at : state.elsewhere)});
  if (ImGui::Checkbox((label + "###recorded").c_str(), &at)) {
    if (at)
      state.recorded_at = state.elsewhere;
    else
      state.recorded_at.clear();
  }
}

void draw_progress(const ViewContext& ctx, SweepState& state, const Sweep& sweep,
                   Actions& actions) {
  const std::size_t done = sweep.done, all = sweep.cells.size();
  if (sweep.running) {
    if (ImGui::Button(tr("Cancel"))) actions.push_back(CancelSweep{});
    ImGui::SameLine();
    std::string text = tr("{0} of {1} settings", {done, all});
    if (sweep.seconds > 0.2)
      text += " · " +
              tr("{0} a second", {decimal(static_cast<double>(sweep.computed) / sweep.seconds)});
    ImGui::ProgressBar(static_cast<float>(sweep.done) / static_cast<float>(sweep.cells.size()),
                       {ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()}, text.c_str());
  } else if (!sweep.finished) {
    if (ImGui::Button(tr("Go on"))) state.requested.reset();
    ImGui::SameLine();
    hint(ctx, tr("Cancelled: {0} of {1} settings are counted.", {done, all}));
  }
}

std::string best_text(const Sweep& sweep, SweepMetric metric, const SweepScale& scale) {
  const SweepCell& cell = sweep.cells[*scale.best];
  const std::string value = metric_text(metric, *metric_value(cell, metric));
  const std::string label = sweep.plan.label(*scale.best);
  if (metric == SweepMetric::wavefronts || metric == SweepMetric::sectors) {
    const std::uint64_t ideal = metric == SweepMetric::wavefronts ? cell.shared.ideal_wavefronts
                                                                  : cell.global.ideal_sectors;
    return tr("Best: {0}: {1} {2}, ideal {3}",
              {label, value, metric_title(metric), grouped(ideal)});
  }
  return tr("Best: {0}: {1} {2}", {label, value, metric_title(metric)});
}

// Of how many settings that is true, and what kind of number it is.
void draw_best_more(const ViewContext& ctx, const Sweep& sweep, SweepMetric metric,
                    const SweepScale& scale) {
  if (!scale.best) return;
  std::string more;
  if (scale.as_good > 1)
    more = tr("{0} settings are as good.", {scale.as_good}) + std::string("  ");
  if (metric == SweepMetric::time) {
    const RecordedTiming& time = *sweep.cells[*scale.best].recorded;
    more += tr("Milliseconds, recorded on {0}, {1}.", {time.device, time.date});
  } else if (metric == SweepMetric::occupancy) {
    more += tr("By shared memory and threads; registers may lower it.");
  } else {
    more += tr("Exact counts of the whole grid, one launch.");
  }
  hint(ctx, more);
}

void draw_best(const ViewContext& ctx, const Sweep& sweep, SweepMetric metric,
               const SweepScale& scale, bool with_more) {
  if (!scale.best) {
    if (!sweep.running && metric == SweepMetric::time)
      hint(ctx, tr("No time was recorded of these settings at this size."));
    else if (!sweep.running)
      hint(ctx, tr("No setting has such a number."));
    return;
  }
  headline(ctx, best_text(sweep, metric, scale), ctx.theme.good);
  if (with_more) draw_best_more(ctx, sweep, metric, scale);
}

void draw_legend(const ViewContext& ctx) {
  legend(ctx, {{heat_color(1), tr("as good as it gets")},
               {heat_color(4), "×4"},
               {heat_color(32), tr("×32 and more")},
               {ctx.theme.hatch, tr("not possible"), true}});
}

void show_errors(const ViewContext& ctx, const std::vector<Diagnostic>& errors) {
  for (const Diagnostic& error : errors) {
    headline(ctx, message_of(error), ctx.theme.error);
    if (!error.hint.empty()) hint(ctx, hint_of(error));
  }
}

}  // namespace

void draw_sweep(const ViewContext& ctx, SweepState& state, Actions& actions) {
  const FrontMatter* matter = front_matter(ctx);
  if (!matter) return nothing_to_show(ctx, tr("No block has been recorded yet."));
  const int frame = ImGui::GetFrameCount();
  state.frames_in_sight = state.last_frame == frame - 1 ? state.frames_in_sight + 1 : 0;
  state.last_frame = frame;
  if (state.of != ctx.settings.name) choose_axes(ctx, state, *matter);
  if (state.axes.empty() && sweep_names(ctx.settings, *matter).empty())
    return nothing_to_show(ctx, tr("This kernel has nothing to vary."));
  if (!ctx.still) draw_axes(ctx, state, *matter);
  if (state.axes.empty()) return hint(ctx, tr("Choose what to vary."));
  make_plan(ctx, state);
  const bool ours = ctx.sweep && state.plan && ctx.sweep->plan.same(*state.plan);
  const Sweep* sweep = ours ? ctx.sweep : nullptr;
  const SweepMetric metric =
      state.metric.value_or(sweep ? suggested_metric(*sweep) : SweepMetric::wavefronts);
  if (ctx.still)
    hint(ctx, metric_title(metric));
  else
    draw_metric(state, metric);
  // Where there is hardly room, the table comes first, and what is said about it follows below.
  const bool cramped = ImGui::GetContentRegionAvail().y < 17 * ImGui::GetFontSize();
  if (!cramped && !ctx.still) draw_recorded(state, sweep);
  if (!state.plan) return show_errors(ctx, state.errors);

  const bool settled = state.frames_in_sight >= kFramesBeforeStart;
  if (!settled) ctx.animating = true;
  if (settled && state.requested != state.plan && !ctx.status.busy && !ctx.status.stale) {
    state.requested = state.plan;
    actions.push_back(StartSweep{state.plan});
  }
  if (!sweep) return hint(ctx, tr("counting…"));
  draw_progress(ctx, state, *sweep, actions);
  const SweepScale scale = scale_of(*sweep, metric);
  draw_best(ctx, *sweep, metric, scale, !cramped);
  if (!cramped) draw_legend(ctx);
  const auto current = state.plan->find(with_arguments(ctx.settings, state.recorded_at));
  const float room = std::max(ImGui::GetContentRegionAvail().y, 5 * ImGui::GetFontSize());
  ImGui::BeginChild("map", {0, cramped ? room : 0}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_HorizontalScrollbar);
  if (const auto clicked = draw_sweep_map(ctx, *sweep, metric, scale, current)) {
    Settings settings = state.plan->settings(*clicked);
    settings.inspected_block = ctx.settings.inspected_block;
    actions.push_back(UseSettings{std::move(settings)});
  }
  ImGui::EndChild();
  if (!cramped) return;
  if (!ctx.still) draw_recorded(state, sweep);
  draw_best_more(ctx, *sweep, metric, scale);
  draw_legend(ctx);
}

}  // namespace lanescope::app
