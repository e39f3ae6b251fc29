// All exercises, with what has been done about each.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/exercise/exercise_view.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr std::size_t kNumbers = 5;  // of a line that is kept

std::string progress_text(const ExerciseProgress& progress) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (progress.solved)
    add(tr("solved"));
  else if (progress.goals > 0)
    add(tr("best: {0} of {1} goals", {progress.best, progress.goals}));
  if (progress.hints > 0) add(tr("hints: {0}", {progress.hints}));
  if (progress.saw_solution) add(tr("solution seen"));
  return text;
}

void row(const ViewContext& ctx, ExerciseState& state, const Exercise& exercise, Actions& actions) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const auto found = state.progress.find(exercise.name);
  const ExerciseProgress progress =
      found == state.progress.end() ? ExerciseProgress{} : found->second;
  const std::string label = exercise.words_in(current_language()).title + "###" + exercise.name;
  const bool current = ctx.lab.exercise == &exercise;
  if (ImGui::Selectable(label.c_str(), current, ImGuiSelectableFlags_SpanAllColumns)) {
    state.listing = false;
    if (!current) actions.push_back(FileAction(StartExercise{exercise.name}));
  }
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", tr("{0} min", {exercise.minutes}).c_str());
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, progress.solved ? ctx.theme.good : ctx.theme.dim);
  ImGui::TextUnformatted(progress_text(progress).c_str());
  ImGui::PopStyleColor();
}

void problems(const ViewContext& ctx) {
  const std::vector<Diagnostic>& all = ctx.lab.lab->diagnostics;
  if (all.empty() ||
      !ImGui::CollapsingHeader(window_title("Exercises that are broken", "broken").c_str()))
    return;
  for (const Diagnostic& d : all)
    wrapped_text(fmt::format("{}:{}:{}: {}", d.file, d.line, d.column, message_of(d)));
}

}  // namespace

void draw_exercise_list(const ViewContext& ctx, ExerciseState& state, Actions& actions) {
  const std::vector<Exercise>& all = ctx.lab.lab->exercises;
  const auto solved = std::count_if(all.begin(), all.end(), [&](const Exercise& exercise) {
    const auto found = state.progress.find(exercise.name);
    return found != state.progress.end() && found->second.solved;
  });
  headline(ctx, tr("{0} of {1} exercises solved", {solved, all.size()}), ctx.theme.text);
  hint(ctx,
       tr("Each begins with a text that has a gap or a mistake, and is judged while you type."));
  if (ctx.lab.exercise && ImGui::Button(window_title("Back to the exercise", "back").c_str()))
    state.listing = false;
  ImGui::Spacing();
  if (!ImGui::BeginTable("exercises", 3, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("title", ImGuiTableColumnFlags_WidthStretch);
  for (const Exercise& exercise : all) row(ctx, state, exercise, actions);
  ImGui::EndTable();
  problems(ctx);
}

std::string progress_line(const std::string& name, const ExerciseProgress& progress) {
  const std::size_t numbers[kNumbers] = {progress.best, progress.goals, progress.solved,
                                         progress.hints, progress.saw_solution};
  std::string line;
  for (const std::size_t number : numbers) line += fmt::format("{} ", number);
  return line + name;
}

bool read_progress_line(std::string_view line, ExerciseState& state) {
  std::size_t numbers[kNumbers] = {};
  for (std::size_t& number : numbers) {
    const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
    if (read.ec != std::errc() || read.ptr == line.data() + line.size() || *read.ptr != ' ')
      return false;
    line.remove_prefix(static_cast<std::size_t>(read.ptr - line.data()) + 1);
  }
  if (line.empty()) return false;
  state.progress[std::string(line)] = {.best = numbers[0],
                                       .goals = numbers[1],
                                       .solved = numbers[2] != 0,
                                       .hints = numbers[3],
                                       .saw_solution = numbers[4] != 0};
  return true;
}

}  // namespace lanescope::app
