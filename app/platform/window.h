// A real window: GLFW, OpenGL 3.3 core, Dear ImGui.
#pragma once

#include "platform/surface.h"

namespace lanescope::app {

/// Whether the environment names a display to open a window on (X11 or Wayland).
[[nodiscard]] bool has_display();

[[nodiscard]] SurfaceResult open_window(const SurfaceOptions& options);

}  // namespace lanescope::app
