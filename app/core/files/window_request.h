// What the command line asks of the window.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/files/session_file.h"
#include "core/kernel/settings.h"

namespace lanescope::app {

struct GuiOptions {
  /// The kernel to start with; none: the program's choice
  std::optional<Settings> open;
  /// Name of the exercise whose starting text `open` is; empty: none
  std::string exercise;
  /// Folders of courses, beside the one that comes along
  std::vector<std::string> courses;
  /// Where they come from, if from a session
  std::optional<SessionFile> session;
  /// PNG to write after a few frames, then leave; no display is needed
  std::string screenshot;
  /// JSON to keep up to date with what the window shows; empty: none
  std::string describe;
  /// Of the window or the picture, pixels
  int width = 1280;
  int height = 800;
  /// Of text and lengths; 0 takes the display's
  float scale = 0.0f;
  /// "light", "dark", "high-contrast"; empty: as remembered
  std::string theme;
  /// "explore", "lecture", "compare", "projector"; empty: as remembered
  std::string layout;
  /// A first start shows no tour
  bool no_tour = false;
  /// "en", "zh"; empty: as remembered
  std::string language;
};

/// Runs until the window is closed; returns the process's exit status. Prints what went wrong.
int run_gui(const GuiOptions& options);

}  // namespace lanescope::app
