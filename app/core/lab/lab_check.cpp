#include "core/lab/lab_check.h"

#include "core/lab/lab_messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

Message at(const ShapeVerdict& shape, const Message& message) {
  return shape.shape.empty() ? message : say::at_shape(shape.shape, message);
}

Message first_failure(const Verdict& verdict) {
  for (const ShapeVerdict& shape : verdict.shapes)
    for (const GoalVerdict& goal : shape.goals) {
      if (goal.holds) continue;
      const std::string values = values_text(goal);
      return at(shape, values.empty() ? say::goal_fails(goal.text)
                                      : say::goal_fails_with(goal.text, values));
    }
  return {};
}

}  // namespace

std::vector<Diagnostic> check_exercise(const Exercise& exercise, const JudgeOptions& options) {
  std::vector<Diagnostic> found;
  const std::string start = exercise.folder + "/start.cu",
                    solution = exercise.folder + "/solution.cu";
  if (judge(exercise, start, exercise.start, options).solved())
    found.push_back(usage_error(start, say::start_solves));
  const Verdict verdict = judge(exercise, solution, exercise.solution, options);
  if (verdict.solved()) return found;
  found.push_back(usage_error(solution, say::solution_fails(first_failure(verdict))));
  if (const Diagnostic* mistake = verdict.first_mistake()) found.push_back(*mistake);
  return found;
}

std::vector<Diagnostic> author_errors(const Lab& lab) {
  std::vector<Diagnostic> all = lab.diagnostics;
  for (Diagnostic& d : all) d.severity = Severity::error;
  return all;
}

}  // namespace lanescope::app
