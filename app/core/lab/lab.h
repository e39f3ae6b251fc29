// The lab: every exercise of the course that comes along, and of a folder of one's own beside it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/lab/exercise.h"

namespace lanescope::app {

struct Lab {
  /// In the order of course.toml
  std::vector<Exercise> exercises;
  /// Exercises that cannot be used are left out and told here; so is what is amiss with others
  std::vector<Diagnostic> diagnostics;

  /// By its name, or by what stands behind its number: "guard" for "01_guard". Null: there is none, or
  /// several answer.
  [[nodiscard]] const Exercise* find(const std::string& name) const;
};
using LabPtr = std::shared_ptr<const Lab>;

/// Reads `exercises` of each folder's course.toml, and what it names below FOLDER/exercises. A name that
/// was read before is an error of the later one. Nothing is run.
Lab load_lab(const std::vector<std::string>& folders);
/// Whether the folder has a course.toml.
bool is_course(const std::string& folder);

/// An exercise's name that nothing answers to, with those that there are.
Diagnostic no_such_exercise(const Lab& lab, const std::string& name);

}  // namespace lanescope::app
