// What the expressions of a lesson may name, and its values once a scene has run: answers, claims and
// every number that its words say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "core/run/expectation.h"

namespace lanescope::app {

/// The values of one scene. Names are those of `check --expect` (totals of the whole grid), the
/// scene's parameters and arguments, "access.…" of the selected access's one execution, and all of
/// them with "other." in front for the other side. Immutable.
struct SceneValues {
  Facts facts;
  Functions functions;

  /// nullopt if the expression cannot be read, or has no value here.
  [[nodiscard]] std::optional<double> value(const std::string& expression) const;
  [[nodiscard]] bool holds(const std::string& condition) const { return value(condition) == 1; }
  /// Of a condition over "given", the student's answer.
  [[nodiscard]] bool accepts(const std::string& condition, double given) const;
  /// "32", "0.125", "yes"; "–" where there is none.
  [[nodiscard]] std::string text(const std::string& expression) const;
  /// Nothing that a lesson cannot say is a name here.
  [[nodiscard]] Vocabulary vocabulary() const;
};

/// Every function with its name, and any name at all: for reading an expression before anything ran.
Vocabulary any_scene();

/// Of a picture whose whole grid has been run, and of what the selection shows of it.
/// `blackboard`: the access is the toy's (core/picture/blackboard.h).
SceneValues scene_values(const Picture& picture, const Selection& selection,
                         const std::vector<Diagnostic>& diagnostics, bool blackboard = false);
/// Adds the other side's, with "other." before every name.
void add_other(SceneValues& values, const SceneValues& other);

}  // namespace lanescope::app
