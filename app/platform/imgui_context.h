// The Dear ImGui context that both surfaces set up in the same way.
#pragma once

#include <string>

#include "platform/damage.h"
#include "platform/picture/image.h"
#include "platform/surface.h"

struct ImGuiContext;

namespace lanescope::app {

/// ImGui context with docking, its OpenGL 3 back-end, and the layout file's name, which ImGui only
/// points to.
class ImGuiSetup {
 public:
  explicit ImGuiSetup(const SurfaceOptions& options);
  ~ImGuiSetup();
  ImGuiSetup(const ImGuiSetup&) = delete;
  ImGuiSetup& operator=(const ImGuiSetup&) = delete;

  /// Starts the OpenGL back-end once the context is current. False if it cannot.
  [[nodiscard]] bool start_renderer();
  /// Ends ImGui's frame. Its textures are up to date then; nothing of it is drawn yet.
  void end_frame();
  /// Draws the frame that was ended last into the bound framebuffer. That must hold the frame that was
  /// drawn before: only what differs from it is drawn.
  void draw(int width, int height);

 private:
  ImGuiContext* context_;
  std::string layout_file_;
  bool renderer_started_ = false;
  Damage damage_;
};

/// Reads the bound framebuffer, top row first, opaque.
[[nodiscard]] Image read_framebuffer(int width, int height);

}  // namespace lanescope::app
