#include "core/course/scene_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/course/course_messages.h"
#include "core/picture/navigate.h"
#include "core/picture/picture.h"
#include "core/picture/trace_index.h"
#include "core/run/whole_grid.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

constexpr int kMostAnswers = 4096;  // tried where a condition accepts answers

Diagnostic wrong_at(const Lesson& lesson, SourcePos pos, const Message& message,
                    Message hint = {}) {
  Diagnostic error = usage_error(lesson.file, message, std::move(hint));
  error.line = pos.line, error.column = pos.column;
  return error;
}

bool is_of_kind(const AccessInfo& access, const std::string& kind) {
  if (kind.empty()) return true;
  const bool shared = kind.starts_with("shared"), load = kind.ends_with("load");
  // A generic access may be of either memory; the run tells.
  const bool space = access.space == MemorySpace::generic ||
                     access.space == (shared ? MemorySpace::shared : MemorySpace::global);
  return space && access.op == (load ? AccessOp::load : AccessOp::store);
}

// What the scene selects, or why it cannot.
struct Selector {
  const Lesson& lesson;
  const Scene& scene;
  const Picture& picture;
  std::vector<Diagnostic>& diagnostics;

  Selection select() const {
    Selection selection = default_selection(picture);
    if (scene.warp >= picture.trace()->warps.size()) {
      error(say::no_such_warp(scene.warp));
      return selection;
    }
    if (!scene.line.empty() || !scene.access.empty() || !scene.array.empty()) {
      if (const AccessInfo* access = chosen()) go_to(selection, *access);
    } else if (scene.warp != selection.warp) {
      select_warp(picture, selection, scene.warp);
    }
    selection.lane = scene.lane;
    return selection;
  }

 private:
  [[nodiscard]] const AccessInfo* chosen() const {
    const AccessInfo* found = nullptr;
    for (const AccessInfo& access : picture.kernel().accesses) {
      const std::string line = line_of(picture.prepared->settings.text, access.pos.line);
      if (access.pos.file != 0 || line.find(scene.line) == std::string::npos ||
          !is_of_kind(access, scene.access) || (!scene.array.empty() && access.root != scene.array))
        continue;
      const bool other_kind = found && (found->space != access.space || found->op != access.op);
      if (other_kind && scene.access.empty()) {
        error(say::several_accesses(scene.line), say::say_which_access);
        return nullptr;
      }
      if (!found) found = &access;
    }
    if (!found) error(say::no_access_here(scene.line), say::say_which_access);
    return found;
  }

  void go_to(Selection& selection, const AccessInfo& access) const {
    const WarpTrack& track = picture.trace()->warps[scene.warp];
    std::size_t seen = 0;
    for (std::size_t step = 0; step < track.size(); ++step) {
      if (picture.kernel().ops[track.op[step]].access != static_cast<int>(access.id)) continue;
      if (seen++ < scene.execution) continue;
      selection = {.warp = scene.warp, .step = step, .access = static_cast<int>(access.id)};
      return;
    }
    error(say::access_not_executed(scene.warp, seen));
  }

  void error(const Message& message, Message hint = {}) const {
    diagnostics.push_back(wrong_at(lesson, scene.line_pos, message, std::move(hint)));
  }
};

// One side: the inspected block recorded, then all blocks counted.
SceneRun run_side(const Lesson& lesson, const Scene& scene, const Settings& settings,
                  const std::stop_token& stop) {
  SceneRun run;
  PrepareResult prepared = prepare(settings, stop);
  append(run.diagnostics, std::move(prepared.diagnostics));
  if (!prepared.ready || stop.stop_requested()) return run;
  auto picture = std::make_shared<Picture>(inspect_block(*prepared.ready, stop));
  append(run.diagnostics, picture->inspected.diagnostics);
  if (!picture->trace() || picture->trace()->warps.empty() || stop.stop_requested()) return run;
  picture->index = std::make_shared<const TraceIndex>(picture->kernel(), *picture->trace());
  WholeGridOptions options;
  options.control.stop = stop;
  options.threads = 1;
  WholeGrid whole = run_whole_grid(*prepared.ready, options);
  picture->check = whole.check;
  picture->whole = std::make_shared<const RunResult>(std::move(whole.run));
  add_new(run.diagnostics, whole.diagnostics);
  add_source_lines(settings, run.diagnostics);
  std::vector<Diagnostic> of_kernel = run.diagnostics;
  run.selection = Selector{lesson, scene, *picture, run.diagnostics}.select();
  run.values = scene_values(*picture, run.selection, of_kernel, scene.device == "blackboard");
  run.picture = std::move(picture);
  return run;
}

}  // namespace

OpenResult open_scene(const Catalog& catalog, const Lesson& lesson, const Scene& scene) {
  const std::filesystem::path beside = std::filesystem::path(lesson.folder) / scene.kernel;
  const bool file = scene.kernel.ends_with(".cu");
  OpenResult opened = open_kernel(catalog, file ? beside.string() : scene.kernel);
  if (!opened.settings) {
    const Diagnostic& why = opened.diagnostics.front();
    return {std::nullopt,
            {wrong_at(lesson, scene.kernel_pos, say::about(scene.kernel, why.message), why.hint)}};
  }
  opened.settings->parameters = scene.parameters;
  opened.settings->arguments = scene.arguments;
  opened.settings->inspected_block = scene.block;
  return opened;
}

Scene other_scene(const Scene& scene) {
  Scene other = scene;
  if (!scene.other) return other;
  if (!scene.other->kernel.empty()) other.kernel = scene.other->kernel;
  for (const auto& [name, value] : scene.other->parameters) other.parameters[name] = value;
  for (const auto& [name, value] : scene.other->arguments) other.arguments[name] = value;
  return other;
}

SceneRun run_scene(const Catalog& catalog, const Lesson& lesson, const Scene& scene,
                   const std::stop_token& stop) {
  OpenResult opened = open_scene(catalog, lesson, scene);
  if (!opened.settings) return {.diagnostics = std::move(opened.diagnostics)};
  SceneRun run = run_side(lesson, scene, *opened.settings, stop);
  if (!run.picture || !scene.other) return run;
  const Scene other = other_scene(scene);
  opened = open_scene(catalog, lesson, other);
  if (!opened.settings) {
    append(run.diagnostics, std::move(opened.diagnostics));
    return run;
  }
  SceneRun beside = run_side(lesson, other, *opened.settings, stop);
  add_other(run.values, beside.values);
  append(run.diagnostics, std::move(beside.diagnostics));
  return run;
}

bool is_right(const SceneValues& values, const Question& question, double number,
              const std::string& choice) {
  if (question.kind == Question::Kind::choice) {
    const auto chosen = std::find_if(question.choices.begin(), question.choices.end(),
                                     [&](const Choice& one) { return one.id == choice; });
    return chosen != question.choices.end() && values.holds(chosen->condition);
  }
  const Expectation::Parsed parsed = Expectation::parse(question.answer, values.vocabulary());
  if (!parsed.expectation) return false;
  if (parsed.expectation->is_condition()) return values.accepts(question.answer, number);
  const auto answer = values.value(question.answer);
  return answer && std::abs(*answer - number) <= question.tolerance;
}

std::string answer_text(const SceneValues& values, const Question& question) {
  std::vector<std::string> right;
  if (question.kind == Question::Kind::choice) {
    for (const Choice& choice : question.choices)
      if (values.holds(choice.condition)) right.push_back(choice.id);
    return listed(right);
  }
  const Expectation::Parsed parsed = Expectation::parse(question.answer, values.vocabulary());
  if (!parsed.expectation) return "";
  if (!parsed.expectation->is_condition())
    return values.value(question.answer) ? values.text(question.answer) : "";
  const int most = question.kind == Question::Kind::lane || question.kind == Question::Kind::bank
                       ? kLanes
                       : kMostAnswers;
  for (int given = 0; given < most && right.size() < kLanes; ++given)
    if (values.accepts(question.answer, given)) right.push_back(std::to_string(given));
  return fmt::format("{}", fmt::join(right, ", "));
}

}  // namespace lanescope::app
