// A scene run by itself, apart from what anybody looks at: what its questions are answered from.
#pragma once

#include <stop_token>
#include <vector>

#include "core/course/course.h"
#include "core/course/scene_values.h"
#include "core/kernel/catalog.h"
#include "core/picture/picture.h"
#include "core/picture/selection.h"

namespace lanescope::app {

/// What a scene opens with: its kernel, its parameters and arguments, its block.
OpenResult open_scene(const Catalog& catalog, const Lesson& lesson, const Scene& scene);
/// The same scene changed as its `other` says; itself where it says nothing.
Scene other_scene(const Scene& scene);

struct SceneRun {
  /// Null if it does not run
  PicturePtr picture;
  Selection selection;
  SceneValues values;
  /// Errors and warnings: with a place in lesson.toml where it is the lesson's
  std::vector<Diagnostic> diagnostics;
};
/// Runs it and its other side. Prints nothing, never throws; stopped, it means nothing.
SceneRun run_scene(const Catalog& catalog, const Lesson& lesson, const Scene& scene,
                   const std::stop_token& stop = {});

/// Whether an answer is right; `choice` is the id of a choice, of other kinds `number` counts.
bool is_right(const SceneValues& values, const Question& question, double number,
              const std::string& choice);
/// "32", or the right choices' ids.
std::string answer_text(const SceneValues& values, const Question& question);

}  // namespace lanescope::app
