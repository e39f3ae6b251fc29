// The window and its frame loop.
#pragma once

#include "core/files/window_request.h"

namespace lanescope::app {

/// Runs until the window is closed; returns the process's exit status. Prints what went wrong.
int run_gui(const GuiOptions& options);

}  // namespace lanescope::app
