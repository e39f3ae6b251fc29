// Whether a lesson says what the tool computes: each scene is run, each question answered, each claim
// tried, each number of the words found.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/course/course.h"
#include "core/kernel/catalog.h"

namespace lanescope::app {

struct LessonCheck {
  /// Errors of reading and of running, by file and line
  std::vector<Diagnostic> diagnostics;
  std::size_t scenes = 0, questions = 0, claims = 0;
  /// "columns.how_many = 32", in the order of the lesson
  std::vector<std::string> answers;
};
LessonCheck check_lesson(const Catalog& catalog, const Lesson& lesson);

}  // namespace lanescope::app
