// One line: kernel, launch, what the worker does, how long it took.
#pragma once

#include <string>

#include "views/view_context.h"

namespace lanescope::app {

struct StatusBarState {
  std::string notice;             ///< in: why settings cannot be kept; "" when they can
  bool cancel = false;            ///< out: the user wants the whole-grid run stopped
  bool show_diagnostics = false;  ///< out: the user clicked the error count
};
void draw_status_bar(const ViewContext& ctx, StatusBarState& state, Actions& actions);

/// "(128, 128) × (32, 8)": grid and block.
std::string launch_text(const Launch& launch);

}  // namespace lanescope::app
