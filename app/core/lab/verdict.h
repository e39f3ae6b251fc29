// Whether an answer to an exercise reaches its goals, at each shape.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/lab/exercise.h"
#include "core/run/totals.h"
#include "lanescope/diagnostic.h"

namespace lanescope::app {

struct GoalVerdict {
  /// As the exercise writes it: "conflicts == 0"
  std::string text;
  bool holds = false;
  /// Of each name in it, "not a number" where the run had none
  std::vector<std::pair<std::string, double>> values;
};

struct ShapeVerdict {
  /// See ExerciseShape::text
  std::string shape;
  std::vector<GoalVerdict> goals;
  /// Of this run, with the lines of the answer's own text
  std::vector<Diagnostic> diagnostics;
};

struct Verdict {
  /// As many as the exercise has, in its order, once all have been judged
  std::vector<ShapeVerdict> shapes;
  /// The answer has front matter of its own that says something else, and it did not count
  bool replaced = false;

  /// Goals of all shapes that hold, and how many there are.
  [[nodiscard]] std::size_t passed() const;
  [[nodiscard]] std::size_t goals() const;
  [[nodiscard]] bool solved() const { return goals() > 0 && passed() == goals(); }
  /// The first error of the first shape that has one; null where there is none.
  [[nodiscard]] const Diagnostic* first_mistake() const;
};
using VerdictPtr = std::shared_ptr<const Verdict>;

struct JudgeOptions {
  /// Workers of a run; 0 picks the machine's cores
  unsigned threads = 0;
  /// As RunControl::step_budget
  std::uint64_t step_budget = 0;
  std::stop_token stop = {};
  /// Called when a shape has been judged and more follow. May be empty.
  std::function<void(const Verdict&)> judged = {};
};
/// Runs the answer at every shape; an answer that cannot be compiled or never ends is not tried again. Never throws.
/// Stopped, it ends early with a verdict that means nothing. `file` is for messages, and the answer
/// includes what lies beside it.
Verdict judge(const Exercise& exercise, const std::string& file, const std::string& text,
              const JudgeOptions& options = {});

/// "conflicts = 992, correct = true"; empty where the goal names nothing.
std::string values_text(const GoalVerdict& goal);

/// For the process that judges one submission, and back. From anything else: nullopt.
Json to_json(const Verdict& verdict);
std::optional<Verdict> verdict_from_json(const Json& json);

}  // namespace lanescope::app
