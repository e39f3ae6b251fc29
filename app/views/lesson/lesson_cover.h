// What covers a picture, or the whole screen, for a while.
#pragma once

#include "views/lesson/lesson_view.h"

namespace lanescope::app {

/// In the place of a view that would tell the answer to the question that waits.
void draw_cover(const ViewContext& ctx);
/// A dark screen, as a clicker asks for it; over everything, until a key or a click.
void draw_blackout(const ViewContext& ctx, LessonState& state);

}  // namespace lanescope::app
