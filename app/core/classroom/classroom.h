// The lesson that is open: its scene, its questions, what has been answered. Views ask through actions
// and draw the status; this does it. No window is needed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/course/course.h"
#include "core/course/course_progress.h"
#include "core/course/scene_run.h"
#include "core/session/action.h"
#include "core/session/lesson_actions.h"
#include "core/session/session.h"
#include "core/tasks/latest.h"

namespace lanescope::app {

/// An answer to a question of the scene, as it was given last.
struct GivenAnswer {
  double number = 0;
  std::string choice;
  Answered how = Answered::wrong;
};

struct LessonStatus {
  const Course* course = nullptr;
  const Progress* progress = nullptr;
  /// Null where none is open
  const Lesson* lesson = nullptr;
  std::size_t scene = 0;
  /// The scene's own run; null until it has come
  std::shared_ptr<const SceneRun> run;
  /// By question, of this sitting
  std::map<std::string, GivenAnswer> given;
  /// What is looked at is the scene as it was opened, and no free play
  bool at_scene = false;
  /// When the lesson was opened
  std::chrono::steady_clock::time_point began{};
  /// Grows with every scene that is opened: the window is then arranged for it
  std::uint64_t opened = 0;

  [[nodiscard]] const Scene* shown() const {
    return lesson && scene < lesson->scenes.size() ? &lesson->scenes[scene] : nullptr;
  }
  /// The first question that nobody has answered yet; null if there is none.
  [[nodiscard]] const Question* pending() const;
  /// Results that would answer it are hidden.
  [[nodiscard]] bool predicting() const { return pending() != nullptr; }
};

class Classroom {
 public:
  /// `wake` as the session's. Everything given must outlive this.
  Classroom(Session& session, Course course, Progress& progress, std::function<void()> wake = {});

  /// Does what is about lessons.
  void perform(const LessonAction& action);
  /// Takes in what was computed; once a frame. True if something changed.
  bool poll();
  /// Until the scene's values are there.
  void wait();
  [[nodiscard]] const LessonStatus& status();

  /// "02_coalescing" or "02_coalescing/stride". What is wrong, or nothing.
  std::vector<Diagnostic> open(const std::string& lesson_and_scene);
  /// The same of what is open; "" for none.
  [[nodiscard]] std::string place() const;

 private:
  struct Asked {
    const Lesson* lesson;
    std::size_t scene;
  };

  void open_lesson(const Lesson& lesson, std::size_t scene);
  void go_to(std::size_t scene);
  void show_scene();
  void compare_scene();
  void leave();
  void answer(const AnswerQuestion& asked);
  void reveal(const std::string& question);
  void note(const std::string& question, GivenAnswer given);
  LessonProgress& progress() { return progress_.lessons[status_.lesson->name]; }

  Session& session_;
  Course course_;
  Progress& progress_;
  LessonStatus status_;
  /// As the scene was opened
  Settings settings_;
  Latest<Asked, std::shared_ptr<const SceneRun>> runner_;
};

}  // namespace lanescope::app
