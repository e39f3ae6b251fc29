// The goals of an exercise: whether they hold, with the numbers that say so.
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/exercise/exercise_view.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

// Drawn, since no font has all of them: a tick, a cross, or a ring while nobody knows.
void mark(const ViewContext& ctx, const GoalVerdict* goal) {
  const float em = ImGui::GetFontSize(), r = 0.3f * em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 c{at.x + 0.5f * em, at.y + 0.5f * em};
  const float thick = 2 * ctx.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!goal) {
    list.AddCircle(c, r * 0.8f, ctx.theme.dim, 0, 1.5f * ctx.scale);
  } else if (goal->holds) {
    const ImVec2 tick[] = {
        {c.x - r, c.y}, {c.x - 0.25f * r, c.y + 0.8f * r}, {c.x + r, c.y - 0.8f * r}};
    list.AddPolyline(tick, 3, ctx.theme.good, 0, thick);
  } else {
    list.AddLine({c.x - r, c.y - r}, {c.x + r, c.y + r}, ctx.theme.error, thick);
    list.AddLine({c.x - r, c.y + r}, {c.x + r, c.y - r}, ctx.theme.error, thick);
  }
  ImGui::Dummy({em, em});
}

// In words where there are any; the condition as it is written where it speaks of numbers.
std::string goal_text(const std::string& goal) {
  if (goal == "correct") return tr("the result is right");
  if (goal == "errors == 0") return tr("nothing is wrong on the way");
  return goal;
}

// True where the goal is one in words, which its value would only repeat.
bool in_words(const std::string& goal) { return goal_text(goal) != goal; }

void goal_row(const ViewContext& ctx, const std::string& text, const GoalVerdict* goal) {
  mark(ctx, goal);
  ImGui::SameLine();
  if (!in_words(text)) ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.92f);
  ImGui::TextUnformatted(goal_text(text).c_str());
  if (!in_words(text)) ImGui::PopFont();
  if (!goal || in_words(text) || goal->values.empty()) return;
  const std::string values = values_text(*goal);
  const float em = ImGui::GetFontSize();
  const float room = ImGui::GetWindowContentRegionMax().x + ImGui::GetWindowPos().x -
                     ImGui::GetItemRectMax().x - em;
  const bool below = room < ImGui::CalcTextSize(values.c_str()).x;
  below ? ImGui::Indent(1.5f * em) : ImGui::SameLine(0, em);
  ImGui::PushStyleColor(ImGuiCol_Text, goal->holds ? ctx.theme.dim : ctx.theme.error);
  ImGui::TextUnformatted(values.c_str());
  ImGui::PopStyleColor();
  if (below) ImGui::Unindent(1.5f * em);
}

bool is_shown(const ViewContext& ctx, const ExerciseShape& shape) {
  const auto among = [](const auto& all, const auto& wanted) {
    for (const auto& [name, value] : wanted) {
      const auto found = all.find(name);
      if (found == all.end() || found->second != value) return false;
    }
    return true;
  };
  return among(ctx.settings.arguments, shape.arguments) &&
         among(ctx.settings.parameters, shape.parameters);
}

// What the views show is one launch; a click shows that of this shape.
void shape_head(const ViewContext& ctx, const ExerciseShape& shape, Actions& actions) {
  const std::string text = shape.text().empty() ? tr("as it is launched") : shape.text();
  ImGui::Spacing();
  const bool shown = is_shown(ctx, shape);
  ImGui::PushFont(ctx.fonts.strong, 0);
  const bool clicked = ImGui::Selectable((text + "###shape").c_str(), shown);
  ImGui::PopFont();
  item_tooltip(shown ? tr("the views show the text at this shape")
                     : tr("click: the views show the text at this shape"));
  if (!clicked) return;
  Settings settings = ctx.settings;
  settings.arguments = shape.arguments;
  settings.parameters = shape.parameters;
  settings.block.reset(), settings.grid.reset();
  settings.inspected_block = {0, 0, 0};
  actions.push_back(UseSettings{std::move(settings)});
}

void mistake(const ViewContext& ctx, ExerciseState& state, const ShapeVerdict& verdict) {
  for (const Diagnostic& d : verdict.diagnostics) {
    if (d.severity != Severity::error) continue;
    const std::string line = d.line > 0 ? tr("line {0}", {d.line}) + ": " : "";
    ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.error);
    wrapped_text(line + message_of(d));
    ImGui::PopStyleColor();
    if (d.line > 0 && ImGui::IsItemClicked()) state.go_to_line = d.line;
    return;
  }
}

std::string summary(const LabStatus& lab) {
  if (lab.judging || !lab.verdict) return tr("Judging your text …");
  if (lab.verdict->solved()) return tr("Solved: every goal holds at every shape.");
  return tr("{0} of {1} goals hold", {lab.verdict->passed(), lab.verdict->goals()});
}

}  // namespace

void draw_exercise_goals(const ViewContext& ctx, ExerciseState& state, Actions& actions) {
  const LabStatus& lab = ctx.lab;
  const bool done = lab.verdict && !lab.judging;
  headline(ctx, summary(lab),
           !done                   ? ctx.theme.dim
           : lab.verdict->solved() ? ctx.theme.good
                                   : ctx.theme.text);
  const auto& shapes = lab.exercise->shapes;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const bool judged = lab.verdict && i < lab.verdict->shapes.size() &&
                        lab.verdict->shapes[i].goals.size() == shapes[i].goals.size();
    const ShapeVerdict* verdict = judged ? &lab.verdict->shapes[i] : nullptr;
    ImGui::PushID(static_cast<int>(i));
    shape_head(ctx, shapes[i], actions);
    if (!done) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.55f);
    for (std::size_t g = 0; g < shapes[i].goals.size(); ++g)
      goal_row(ctx, shapes[i].goals[g]->text(), verdict ? &verdict->goals[g] : nullptr);
    if (verdict) mistake(ctx, state, *verdict);
    if (!done) ImGui::PopStyleVar();
    ImGui::PopID();
  }
  if (done && lab.verdict->replaced)
    hint(ctx, tr("The front matter of your text says something else than the exercise's, which is "
                 "what counts."));
}

}  // namespace lanescope::app
