// What `lanescope render` asks for: one view, or the whole window, as a picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session/session_file.h"
#include "session/settings.h"

namespace lanescope::app {

struct RenderRequest {
  Settings settings;
  std::optional<Settings> with;        ///< the other side of a comparison
  std::optional<SessionFile> session;  ///< where they come from, if from a session
  std::string view = "window";         ///< a view's id, or "window"
  std::string out;                     ///< ends in .png or .svg
  int width = 1280, height = 800;      ///< pixels
  float scale = 0;                     ///< of text and lengths; 0: the session's, else 1
  std::string theme;     ///< "light", "dark", "high-contrast"; empty: the session's, else dark
  std::string layout;    ///< "explore", "lecture", "compare", "projector"; empty: the session's
  std::string language;  ///< "en" or "zh"; empty: the session's, else English
  // What is selected in it; unset: the session's own choice.
  std::optional<std::uint32_t> warp;
  std::optional<std::size_t> step;
  std::optional<int> access, lane;
};

/// Returns the exit status of the process. Prints what went wrong.
int render_view(const RenderRequest& request);

}  // namespace lanescope::app
