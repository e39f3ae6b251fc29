// One question of a scene: asked, answered, and what is to be said after.
#pragma once

#include "views/lesson/lesson_view.h"

namespace lanescope::app {

/// True while it waits for its answer.
bool draw_question(const ViewContext& ctx, LessonState& state, const Question& question,
                   const QuestionText& words, Actions& actions);
/// "32", or the labels of the right choices; "…" while it is computed.
std::string right_answer(const ViewContext& ctx, const Question& question,
                         const QuestionText& words);

}  // namespace lanescope::app
