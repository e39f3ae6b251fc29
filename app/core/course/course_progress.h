// What a student has done of the course. Kept with the settings; nothing leaves the machine.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lanescope::app {

/// How a question was answered, at first.
enum class Answered { right, wrong, shown };

struct LessonProgress {
  /// Where it was left; empty: nowhere
  std::string scene;
  std::set<std::string> seen;
  /// By "scene.question"
  std::map<std::string, Answered> answers;
};

struct Progress {
  /// By the lesson's name
  std::map<std::string, LessonProgress> lessons;
  /// Open now; empty: none
  std::string open;
};

/// A line for one lesson: "02_coalescing at=stride seen=row,stride answers=stride.how_many:right".
std::string progress_text(const std::string& lesson, const LessonProgress& progress);
/// Takes such a line in; what it does not understand it leaves out.
void add_progress(Progress& progress, std::string_view line);

}  // namespace lanescope::app
