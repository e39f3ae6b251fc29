// What `lanescope render` asks for: one view, or the whole window, as a picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/files/session_file.h"
#include "core/kernel/settings.h"

namespace lanescope::app {

struct RenderRequest {
  Settings settings;
  /// The other side of a comparison
  std::optional<Settings> with;
  /// Folders of courses, beside the one that comes along
  std::vector<std::string> courses;
  /// Where they come from, if from a session
  std::optional<SessionFile> session;
  /// A view's id, or "window"
  std::string view = "window";
  /// Ends in .png or .svg
  std::string out;
  /// Pixels
  int width = 1280, height = 800;
  /// Of text and lengths; 0: the session's, else 1
  float scale = 0;
  /// "light", "dark", "high-contrast"; empty: the session's, else dark
  std::string theme;
  /// "explore", "lecture", "compare", "projector"; empty: the session's
  std::string layout;
  /// "en" or "zh"; empty: the session's, else English
  std::string language;
  // What is selected in it; unset: the session's own choice.
  std::optional<std::uint32_t> warp;
  std::optional<std::size_t> step;
  std::optional<int> access, lane;
};

/// Returns the exit status of the process. Prints what went wrong.
int render_view(const RenderRequest& request);

}  // namespace lanescope::app
