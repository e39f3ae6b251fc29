// A real window: GLFW, OpenGL 3.3 core, Dear ImGui.
#pragma once

#include "platform/surface.h"

struct GLFWwindow;

namespace lanescope::app {

/// Whether the environment names a display to open a window on (X11 or Wayland).
[[nodiscard]] bool has_display();

[[nodiscard]] SurfaceResult open_window(const SurfaceOptions& options);

/// Beside a window that is open; null if it cannot be opened.
[[nodiscard]] std::unique_ptr<SideWindow>
open_side_window(GLFWwindow* beside, const SurfaceOptions& options, const std::string& fonts);

}  // namespace lanescope::app
