// The lessons, with what has been done of each.
#pragma once

#include "views/lesson/lesson_view.h"

namespace lanescope::app {

void draw_lesson_list(const ViewContext& ctx, LessonState& state, Actions& actions);

}  // namespace lanescope::app
