// For who presents a lesson: notes, time, what comes next, and the answer.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct PresenterState {
  /// The strip is asked for: it stays when a scene arranges the window anew
  bool wanted = false;
  /// They have a window of their own
  bool in_window = false;
};

/// Over the whole of a window: the same, and a clicker's keys turn the scenes there too.
void draw_presenter_window(const ViewContext& ctx, PresenterState& state, Actions& actions);
void draw_presenter(const ViewContext& ctx, PresenterState& state, Actions& actions);

}  // namespace lanescope::app
