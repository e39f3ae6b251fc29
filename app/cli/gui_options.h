// What the command line asks of the window.
#pragma once

#include <optional>
#include <string>

#include "session/session_file.h"
#include "session/settings.h"

namespace lanescope::app {

struct GuiOptions {
  std::optional<Settings> open;        ///< the kernel to start with; none: the program's choice
  std::optional<SessionFile> session;  ///< where they come from, if from a session
  std::string screenshot;  ///< PNG to write after a few frames, then leave; no display is needed
  std::string describe;    ///< JSON to keep up to date with what the window shows; empty: none
  int width = 1280;        ///< of the window or the picture, pixels
  int height = 800;
  float scale = 0.0f;    ///< of text and lengths; 0 takes the display's
  std::string theme;     ///< "light", "dark", "high-contrast"; empty: as remembered
  std::string layout;    ///< "explore", "lecture", "compare", "projector"; empty: as remembered
  bool no_tour = false;  ///< a first start shows no tour
  std::string language;  ///< "en", "zh"; empty: as remembered
};

/// Runs until the window is closed; returns the process's exit status. Prints what went wrong.
int run_gui(const GuiOptions& options);

}  // namespace lanescope::app
