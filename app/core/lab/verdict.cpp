#include "core/lab/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/program/program_record.h"
#include "core/run/prepare.h"
#include "core/run/whole_grid.h"

namespace lanescope::app {

namespace {

ShapeVerdict failed(const ExerciseShape& shape) {
  ShapeVerdict verdict{shape.text(), {}, {}};
  for (const Goal& goal : shape.goals) verdict.goals.push_back({goal->text(), false, {}});
  return verdict;
}

// Lines as the answer has them; what is said of the exercise's own front matter has none.
void move_back(std::vector<Diagnostic>& diagnostics, const std::string& file, long lines_moved) {
  for (Diagnostic& d : diagnostics) {
    if (d.file != file || d.line == 0) continue;
    const long line = static_cast<long>(d.line) - lines_moved;
    d.line = line > 0 ? static_cast<std::uint32_t>(line) : 0;
    if (d.line == 0) d.column = 0;
  }
}

// What does not compile or does not end at one shape is not tried at the next.
bool is_hopeless(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
    return d.severity == Severity::error &&
           (d.kind == DiagnosticKind::step_budget || d.kind == DiagnosticKind::compile);
  });
}

ShapeVerdict judge_shape(const ExerciseShape& shape, const Exercise::Asked& asked,
                         const JudgeOptions& options) {
  ShapeVerdict verdict = failed(shape);
  PrepareResult result = prepare(asked.settings, options.stop);
  verdict.diagnostics = std::move(result.diagnostics);
  const bool prepared = result.ready != nullptr;
  WholeGrid whole;
  if (prepared) {
    WholeGridOptions run;
    run.control.stop = options.stop;
    run.control.step_budget = options.step_budget;
    run.threads = options.threads;
    run.every_block = true;
    whole = run_whole_grid(*result.ready, run);
    append(verdict.diagnostics, std::move(whole.diagnostics));
    add_source_lines(asked.settings, verdict.diagnostics);
  }
  const Facts facts = facts_of(prepared ? result.ready->prepared.get() : nullptr, whole.run,
                               whole.check, verdict.diagnostics);
  for (std::size_t i = 0; i < shape.goals.size(); ++i) {
    GoalVerdict& goal = verdict.goals[i];
    // Counts of a run that stopped are of a part of it, and no ground for a pass.
    goal.holds = prepared && whole.run.coverage.exact && shape.goals[i]->holds(facts);
    for (const std::string& name : shape.goals[i]->names())
      goal.values.emplace_back(name, facts.at(name));
  }
  move_back(verdict.diagnostics, asked.settings.file, asked.lines_moved);
  return verdict;
}

}  // namespace

std::size_t Verdict::passed() const {
  std::size_t count = 0;
  for (const ShapeVerdict& shape : shapes)
    count += static_cast<std::size_t>(std::count_if(shape.goals.begin(), shape.goals.end(),
                                                    [](const GoalVerdict& g) { return g.holds; }));
  return count;
}

std::size_t Verdict::goals() const {
  std::size_t count = 0;
  for (const ShapeVerdict& shape : shapes) count += shape.goals.size();
  return count;
}

const Diagnostic* Verdict::first_mistake() const {
  for (const ShapeVerdict& shape : shapes)
    for (const Diagnostic& d : shape.diagnostics)
      if (d.severity == Severity::error) return &d;
  return nullptr;
}

Verdict judge(const Exercise& exercise, const std::string& file, const std::string& text,
              const JudgeOptions& options) {
  Verdict verdict;
  bool hopeless = false;
  for (const ExerciseShape& shape : exercise.shapes) {
    if (options.stop.stop_requested()) break;
    if (hopeless) {
      verdict.shapes.push_back(failed(shape));
      continue;
    }
    const Exercise::Asked asked = exercise.ask(file, text, shape);
    verdict.replaced = asked.replaced;
    verdict.shapes.push_back(judge_shape(shape, asked, options));
    hopeless = is_hopeless(verdict.shapes.back().diagnostics);
    if (options.judged && verdict.shapes.size() < exercise.shapes.size()) options.judged(verdict);
  }
  return verdict;
}

std::string values_text(const GoalVerdict& goal) {
  std::string text;
  for (const auto& [name, value] : goal.values)
    text += (text.empty() ? "" : ", ") + fact_text(name, value);
  return text;
}

Json to_json(const Verdict& verdict) {
  Json json = {{"replaced", verdict.replaced}, {"shapes", Json::array()}};
  for (const ShapeVerdict& shape : verdict.shapes) {
    Json goals = Json::array();
    for (const GoalVerdict& goal : shape.goals) {
      Json values = Json::array();
      for (const auto& [name, value] : goal.values) {
        values.push_back({{"name", name}, {"value", nullptr}});
        if (!std::isnan(value)) values.back()["value"] = value;
      }
      goals.push_back({{"text", goal.text}, {"holds", goal.holds}, {"values", std::move(values)}});
    }
    json["shapes"].push_back({{"shape", shape.shape},
                              {"goals", std::move(goals)},
                              {"diagnostics", to_json(shape.diagnostics)}});
  }
  return json;
}

std::optional<Verdict> verdict_from_json(const Json& json) try {
  Verdict verdict;
  verdict.replaced = json.at("replaced");
  for (const Json& of_shape : json.at("shapes")) {
    ShapeVerdict shape{of_shape.at("shape"), {}, diagnostics_from(of_shape.at("diagnostics"))};
    for (const Json& of_goal : of_shape.at("goals")) {
      GoalVerdict goal{of_goal.at("text"), of_goal.at("holds"), {}};
      for (const Json& value : of_goal.at("values")) {
        const Json& number = value.at("value");
        goal.values.emplace_back(value.at("name"), number.is_null()
                                                       ? std::numeric_limits<double>::quiet_NaN()
                                                       : number.get<double>());
      }
      shape.goals.push_back(std::move(goal));
    }
    verdict.shapes.push_back(std::move(shape));
  }
  return verdict;
} catch (const Json::exception&) {
  return std::nullopt;
}

}  // namespace lanescope::app
