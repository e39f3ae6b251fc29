// The course as it lies on disk: lessons of scenes and questions, with their words in each language.
// A folder that holds course.toml, lessons/NAME/{lesson.toml,en.md,zh.md}; what is wrong with one
// lesson keeps none of the others from opening.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/course/lesson_text.h"
#include "core/timing/timing_actions.h"
#include "lanescope/diagnostic.h"
#include "lanescope/types.h"

namespace lanescope::app {

/// Every lesson has its words in each of these.
inline constexpr std::array<std::string_view, 2> kCourseLanguages = {"en", "zh"};

/// One side of a choice: right where its condition holds. Its label is in the words.
struct Choice {
  std::string id, condition;
  SourcePos pos;
};

struct Question {
  enum class Kind { number, lane, bank, address, choice };
  std::string id;
  Kind kind = Kind::number;
  /// An expression over a scene's values (core/course/scene_run.h). A condition over "given" accepts
  /// every answer that it holds of. Empty of a choice.
  std::string answer;
  std::vector<Choice> choices;
  double tolerance = 0;
  /// Of its table, and of its answer
  SourcePos pos, answer_pos;
};

/// What makes the scene that a scene is compared with differ from it.
struct OtherSide {
  /// Empty: the same
  std::string kernel;
  std::map<std::string, std::string> parameters, arguments;
};

/// An expression with its place in lesson.toml.
struct Claim {
  std::string text;
  SourcePos pos;
};

struct Scene {
  std::string id;
  /// Catalogue name, or a .cu beside lesson.toml
  std::string kernel;
  std::map<std::string, std::string> parameters, arguments;
  std::optional<OtherSide> other;
  /// "" or "blackboard"
  std::string device;
  Dim3 block{0, 0, 0};
  std::uint32_t warp = 0;
  /// Part of the access's source line; "shared load"; the array at its base. All empty: the access
  /// that the program would choose
  std::string line, access, array;
  std::size_t execution = 0;
  int lane = -1;
  /// Ids of views that fill the window beside the lesson, or the id of a layout
  std::vector<std::string> views;
  std::string layout;
  /// Ids of views that are covered while a question waits, beside those that always are
  std::vector<std::string> covered;
  /// The index map begins with all cells of the block, however small
  bool overview = false;
  /// What the Timing view begins with; its kernel is the scene's
  std::optional<TimingQuery> timing;
  std::vector<Claim> claims;
  std::vector<Question> questions;
  SourcePos pos, kernel_pos, line_pos, timing_pos;
};

struct Lesson {
  /// Of its folder: "02_coalescing"
  std::string name;
  std::string folder;
  /// lesson.toml
  std::string file;
  int minutes = 10;
  std::vector<Scene> scenes;
  /// By language
  std::map<std::string, LessonText, std::less<>> words;
  /// What is wrong with it, as far as reading tells
  std::vector<Diagnostic> diagnostics;

  /// It can be shown, perhaps with a part missing.
  [[nodiscard]] bool opens() const { return !scenes.empty() && !words.empty(); }
  /// In that language, else in another one; never null where it opens.
  [[nodiscard]] const LessonText* text(std::string_view language) const;
};

struct Course {
  /// In the order of course.toml, those that it does not name behind; then the next folder's
  std::vector<Lesson> lessons;
  /// Of the folders and their course.toml
  std::vector<Diagnostic> diagnostics;
  /// By its name, "02_coalescing" or "coalescing"; null if there is none.
  [[nodiscard]] const Lesson* find(std::string_view name) const;
};

/// One lesson's folder.
Lesson load_lesson(const std::string& folder);
/// The course that comes along; "" if there is none.
std::string default_course_folder();
/// That folder, and those of one's own behind it.
std::vector<std::string> course_folders(const std::vector<std::string>& own);
/// That there is no lesson of this name, and which there are.
Diagnostic unknown_lesson(const Course& course, const std::string& name);
/// Every lesson of the folders, in their order.
Course load_course(const std::vector<std::string>& folders);

}  // namespace lanescope::app
