// One line: kernel, launch, what the worker does, how long it took.
#pragma once

#include <string>

#include "views/draw/view_context.h"

namespace lanescope::app {

struct StatusBarState {
  /// In: why settings cannot be kept; "" when they can
  Message notice;
  /// Out: the user wants the whole-grid run stopped
  bool cancel = false;
  /// Out: the user clicked the error count
  bool show_diagnostics = false;
};
void draw_status_bar(const ViewContext& ctx, StatusBarState& state, Actions& actions);

/// "(128, 128) × (32, 8)": grid and block.
std::string launch_text(const Launch& launch);

}  // namespace lanescope::app
