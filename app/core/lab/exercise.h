// An exercise of the lab: a starting text with a gap or a mistake, what an answer to it must reach, and
// the words that go with it. Read from a folder; the format is described in CONTRIBUTING.md.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel/front_matter.h"
#include "core/kernel/settings.h"
#include "core/run/expectation.h"
#include "lanescope/diagnostic.h"

namespace lanescope::app {

using Goal = std::shared_ptr<const Expectation>;

/// What an answer is judged at: values on top of the starting text's front matter.
struct ExerciseShape {
  std::map<std::string, std::string> arguments, parameters;
  /// All must hold. That the run has no error is one of them, unless another speaks of errors.
  std::vector<Goal> goals;
  /// "nx = 1000, ny = 700, BDIMX = 16"; empty: nothing is set
  [[nodiscard]] std::string text() const;
};

/// The words of one language, GitHub Markdown but for the title.
struct ExerciseWords {
  std::string title, task;
  /// From a nudge to nearly the answer
  std::vector<std::string> hints;
  /// What was learnt
  std::string solved;
};

struct Exercise {
  /// Its folder's: "01_guard"
  std::string name;
  std::string folder;
  /// Name of the lesson that it belongs to
  std::string lesson;
  int minutes = 0;
  /// The first is the one to work at; all must be met
  std::vector<ExerciseShape> shapes;
  /// Texts with front matter. The starting text's says how every answer is launched and compared.
  std::string start, solution;
  FrontMatter front_matter;
  /// "en", "zh"
  std::map<std::string, ExerciseWords> words;

  /// In English where the language has none.
  [[nodiscard]] const ExerciseWords& words_in(const std::string& language) const;
  /// An answer at one of the shapes. Of the answer's own front matter nothing counts: it is replaced
  /// by the exercise's, so that nobody changes what he is judged by. `lines_moved` is how much further
  /// down a line of `text` stands in the settings' text.
  struct Asked {
    Settings settings;
    long lines_moved = 0;
    /// It had front matter of its own, and another one
    bool replaced = false;
  };
  [[nodiscard]] Asked ask(const std::string& file, const std::string& text,
                          const ExerciseShape& shape) const;
  /// A text of one's own to begin with, without a file, at the first shape.
  [[nodiscard]] Settings settings() const;
};

struct ExerciseResult {
  /// Nullopt: it cannot be used (errors)
  std::optional<Exercise> exercise;
  /// With file, line and column; warnings of words that are missing in another language too
  std::vector<Diagnostic> diagnostics;
};
/// Reads exercise.toml, start.cu, solution.cu, en.md and zh.md of a folder. Nothing is run.
ExerciseResult read_exercise(const std::string& folder);

}  // namespace lanescope::app
