#include "views/exercise/exercise_view.h"

#include <algorithm>

#include "imgui_internal.h"
#include "views/draw/markdown_text.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr const char* kStartOver = "###start over?";
constexpr const char* kSolution = "###solution?";

ExerciseProgress& progress_of(const ViewContext& ctx, ExerciseState& state) {
  return state.progress[ctx.lab.exercise->name];
}

bool button(const char* english, const char* id) {
  return ImGui::Button(window_title(english, id).c_str());
}

// The next button goes to the next line where there is no room beside.
void beside(const char* english) {
  const float width = ImGui::CalcTextSize(tr(english)).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

void go_to(const Exercise* exercise, Actions& actions) {
  if (exercise) actions.push_back(FileAction(StartExercise{exercise->name}));
}

// To the one before or behind.
void step_button(const ViewContext& ctx, int step, Actions& actions) {
  const bool back = step < 0;
  ImGui::SameLine();
  ImGui::BeginDisabled(!exercise_beside(ctx, step));
  if (ImGui::ArrowButton(back ? "###previous" : "###next", back ? ImGuiDir_Left : ImGuiDir_Right))
    go_to(exercise_beside(ctx, step), actions);
  item_tooltip(back ? tr("Previous exercise") : tr("Next exercise"));
  ImGui::EndDisabled();
}

// One row of buttons: what is below them is what one reads.
void header(const ViewContext& ctx, ExerciseState& state, Actions& actions) {
  const Exercise& exercise = *ctx.lab.exercise;
  if (button("All exercises", "all exercises")) state.listing = true;
  step_button(ctx, -1, actions);
  step_button(ctx, 1, actions);
  const std::string minutes = tr("about {0} minutes", {exercise.minutes});
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(minutes.c_str()).x) ImGui::NewLine();
  ImGui::TextDisabled("%s", minutes.c_str());
  headline(ctx, exercise.words_in(current_language()).title, ctx.theme.text);
}

void hints(const ViewContext& ctx, ExerciseState& state) {
  const std::vector<std::string>& all = ctx.lab.exercise->words_in(current_language()).hints;
  ExerciseProgress& progress = progress_of(ctx, state);
  const std::size_t shown = std::min(progress.hints, all.size());
  for (std::size_t i = 0; i < shown; ++i) {
    ImGui::Spacing();
    ImGui::TextDisabled("%s", tr("Hint {0} of {1}", {i + 1, all.size()}).c_str());
    markdown_text(ctx, all[i]);
  }
  if (shown == all.size()) return;
  ImGui::Spacing();
  if (!button(shown == 0 ? "Show a hint" : "Show another hint", "hint")) return;
  progress.hints = shown + 1;
  ImGui::MarkIniSettingsDirty();
}

// A question with two answers. True when it is to be done.
bool confirmed(const char* id, const char* question, const char* yes) {
  bool done = false;
  if (!ImGui::BeginPopup(id)) return false;
  wrapped_text(tr(question), 22 * ImGui::GetFontSize());
  ImGui::Spacing();
  if (button(yes, "yes")) done = true;
  ImGui::SameLine();
  if (button("Cancel", "cancel") || done) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return done;
}

void footer(const ViewContext& ctx, ExerciseState& state, Actions& actions) {
  const Exercise& exercise = *ctx.lab.exercise;
  ImGui::SeparatorText("");
  ImGui::BeginDisabled(ctx.settings.text == exercise.start);
  if (button("Start over …", "start over")) ImGui::OpenPopup(kStartOver);
  ImGui::EndDisabled();
  beside("Show the solution …");
  ImGui::BeginDisabled(ctx.settings.text == exercise.solution);
  if (button("Show the solution …", "show the solution")) ImGui::OpenPopup(kSolution);
  ImGui::EndDisabled();
  if (confirmed(kStartOver, "The starting text takes the place of yours. Undo brings yours back.",
                "Start over"))
    actions.push_back(SetText{exercise.start});
  if (!confirmed(kSolution,
                 "The solution takes the place of your text. Undo brings yours back. An exercise "
                 "counts as solved when your own text solves it.",
                 "Show it"))
    return;
  progress_of(ctx, state).saw_solution = true;
  ImGui::MarkIniSettingsDirty();
  actions.push_back(SetText{exercise.solution});
}

void solved(const ViewContext& ctx, Actions& actions) {
  ImGui::Spacing();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float bar = 3 * ctx.scale;
  ImGui::Indent(4 * bar);
  markdown_text(ctx, ctx.lab.exercise->words_in(current_language()).solved);
  if (const Exercise* next = exercise_beside(ctx, 1)) {
    ImGui::Spacing();
    if (button("Next exercise", "next exercise")) go_to(next, actions);
  }
  ImGui::Unindent(4 * bar);
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + bar, ImGui::GetCursorScreenPos().y},
                                            ctx.theme.good);
}

}  // namespace

const Exercise* exercise_beside(const ViewContext& ctx, int step) {
  if (!ctx.lab.lab || ctx.lab.lab->exercises.empty()) return nullptr;
  const std::vector<Exercise>& all = ctx.lab.lab->exercises;
  if (!ctx.lab.exercise) return &all.front();
  const auto at = (ctx.lab.exercise - all.data()) + step;
  return at < 0 || at >= std::ssize(all) ? nullptr : &all[static_cast<std::size_t>(at)];
}

void note_progress(const ViewContext& ctx, ExerciseState& state) {
  const LabStatus& lab = ctx.lab;
  if (!lab.exercise || !lab.verdict || lab.judging) return;
  ExerciseProgress& progress = progress_of(ctx, state);
  // Who has found it without having seen it may have written the same.
  if (progress.saw_solution && ctx.settings.text == lab.exercise->solution) return;
  ExerciseProgress now = progress;
  now.goals = lab.verdict->goals();
  now.best = std::max(progress.best, lab.verdict->passed());
  now.solved |= lab.verdict->solved();
  if (now == progress) return;
  progress = now;
  ImGui::MarkIniSettingsDirty();
}

void draw_exercise(const ViewContext& ctx, ExerciseState& state, Actions& actions) {
  state.go_to_line = 0;
  if (!ctx.lab.lab || ctx.lab.lab->exercises.empty())
    return nothing_to_show(ctx, tr("There are no exercises: the course was not found."));
  if (!ctx.lab.exercise || state.listing) return draw_exercise_list(ctx, state, actions);
  header(ctx, state, actions);
  ImGui::Spacing();
  markdown_text(ctx, ctx.lab.exercise->words_in(current_language()).task);
  ImGui::Spacing();
  draw_exercise_goals(ctx, state, actions);
  if (ctx.lab.verdict && !ctx.lab.judging && ctx.lab.verdict->solved()) solved(ctx, actions);
  hints(ctx, state);
  footer(ctx, state, actions);
}

}  // namespace lanescope::app
