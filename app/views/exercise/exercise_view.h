// Exercise: what is to be reached, how far the text reaches it at each shape, hints one by one, and all the
// others as a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "views/draw/view_context.h"

namespace lanescope::app {

/// What somebody has done about an exercise; kept with the window's settings.
struct ExerciseProgress {
  /// Of the best answer: goals that hold, and how many there are
  std::size_t best = 0, goals = 0;
  /// By a text that is not the solution that comes along
  bool solved = false;
  /// That were asked for
  std::size_t hints = 0;
  bool saw_solution = false;
  bool operator==(const ExerciseProgress&) const = default;
};

struct ExerciseState {
  /// By the exercise's name
  std::map<std::string, ExerciseProgress> progress;
  /// The list is seen in place of the exercise
  bool listing = false;
  /// Out: a line of the text that something was said about; 0: none
  std::uint32_t go_to_line = 0;
};
/// Asks for StartExercise, SetText and UseSettings.
void draw_exercise(const ViewContext& ctx, ExerciseState& state, Actions& actions);

/// Takes note of a new verdict; once a frame, also while the view is not open.
void note_progress(const ViewContext& ctx, ExerciseState& state);
/// The exercise `step` behind the one that is worked on, or the first; null where there is none.
const Exercise* exercise_beside(const ViewContext& ctx, int step);
/// A line of the settings file for each exercise that something was done about, and back.
std::string progress_line(const std::string& name, const ExerciseProgress& progress);
bool read_progress_line(std::string_view line, ExerciseState& state);

// Its parts, a file each.

void draw_exercise_list(const ViewContext& ctx, ExerciseState& state, Actions& actions);
/// Every goal at every shape.
void draw_exercise_goals(const ViewContext& ctx, ExerciseState& state, Actions& actions);

}  // namespace lanescope::app
