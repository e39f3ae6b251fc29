// The words of an exercise: one Markdown file a language, with `# Title`, the task, `## Hint` several times
// and `## Solved`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/lab/exercise.h"

namespace lanescope::app {

struct WordsResult {
  /// Nullopt: a part is missing (errors)
  std::optional<ExerciseWords> words;
  /// With line and column; a bare number in the prose is an error too, since nothing confirms it
  std::vector<Diagnostic> diagnostics;
};
WordsResult parse_exercise_words(const std::string& file, const std::string& text);
WordsResult read_exercise_words(const std::string& file);

}  // namespace lanescope::app
