// lesson.toml: the scenes and questions of a lesson, without words.
#pragma once

#include <string>

#include "core/course/course.h"

namespace lanescope::app {

/// Adds them to the lesson, with what is wrong; `text` is its file's.
void read_lesson_toml(Lesson& lesson, const std::string& text);

}  // namespace lanescope::app
