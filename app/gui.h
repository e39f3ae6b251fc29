// The window and its frame loop.
#pragma once

#include <string>

namespace lanescope::app {

struct GuiOptions {
  std::string screenshot;  ///< PNG to write after a few frames, then leave; no display is needed
  int width = 1280;        ///< of the window or the picture, pixels
  int height = 800;
};

/// Runs until the window is closed; returns the process's exit status. Prints what went wrong.
int run_gui(const GuiOptions& options);

}  // namespace lanescope::app
