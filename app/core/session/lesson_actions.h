// What a view may ask for about lessons. The session changes nothing for these: `Classroom` does them.
#pragma once

#include <cstddef>
#include <string>
#include <variant>

namespace lanescope::app {

/// At the scene where it was left, else at its first.
struct OpenLesson {
  std::string name;
  /// Forgets what was done in it
  bool anew = false;
};
/// Of the open lesson, from 0
struct GoToScene {
  std::size_t scene = 0;
};
/// The scene as it was, after free play
struct ReturnToScene {};
struct LeaveLesson {};
/// Of the scene that is shown
struct AnswerQuestion {
  std::string question;
  double number = 0;
  /// Of a choice, its id
  std::string choice;
};
/// "Show me": the answer, without having given one
struct RevealAnswer {
  std::string question;
};

using LessonAction =
    std::variant<OpenLesson, GoToScene, ReturnToScene, LeaveLesson, AnswerQuestion, RevealAnswer>;

}  // namespace lanescope::app
