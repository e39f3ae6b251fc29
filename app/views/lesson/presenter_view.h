// For who presents a lesson: notes, time, what comes next, and the answer.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct PresenterState {
  /// The strip is asked for: it stays when a scene arranges the window anew
  bool wanted = false;
};

void draw_presenter(const ViewContext& ctx, PresenterState& state, Actions& actions);

}  // namespace lanescope::app
