// The lesson: a scene's words, its questions, and the way through it; or the list of lessons.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/classroom/classroom.h"
#include "views/draw/markdown_text.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// Of the type of a lesson's text, times the window's, and where that would not fit.
inline constexpr float kLessonType = 1.2f, kLeastLessonType = 0.9f;

struct LessonState {
  /// What is typed for a question, by its id
  std::map<std::string, std::string> typed;
  /// The lane or bank that is chosen for it, -1 for none
  std::map<std::string, int> picked;
  /// The scene that those are of
  std::uint64_t opened = 0;
  /// The lane that the picture had selected, to see a click there
  int seen_lane = -1;
  /// The list of lessons is shown, though one is open
  bool list = false;
  /// Of the type, times the window's: smaller where the scene would not fit
  float type = kLessonType;
  /// Before that, its lines and choices stand closer
  Leading leading = Leading::easy;
  /// Frames until it is seen what the last change of those has brought
  int fits_in = 0;
  /// The room that it was chosen for, pixels
  float width = 0, height = 0;
  /// Answers that have been seen: a new one is brought into view
  std::size_t answers = 0;
  /// The keyboard is here: arrows go from scene to scene
  bool focused = false;
  /// The screen is dark, until a key
  bool black = false;
};

void draw_lesson(const ViewContext& ctx, LessonState& state, Actions& actions);

/// The words of the lesson that is open, in the language of the window; null if there is none.
const LessonText* lesson_words(const ViewContext& ctx);
/// With its computed values; while they are computed, "…" in their place.
std::string lesson_text(const ViewContext& ctx, const TextPart& part);

}  // namespace lanescope::app
