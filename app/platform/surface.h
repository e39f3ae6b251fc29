// What the GUI is drawn on: a window (window.h) or, without a display, memory (headless.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/picture/image.h"

namespace lanescope::app {

struct SurfaceOptions {
  /// Pixels of the picture; a window is scaled to the monitor
  int width = 1280, height = 800;
  std::string title = "Lanescope";
  /// Where ImGui keeps the layout; "" keeps none
  std::string layout_file;
};

struct Fonts;

/// Another window of the program, on the second monitor where there is one: only drawn to, by ImGui
/// calls in a context of its own. Belongs to the thread of the surface, which outlives it.
class SideWindow {
 public:
  SideWindow() = default;
  SideWindow(const SideWindow&) = delete;
  SideWindow& operator=(const SideWindow&) = delete;
  virtual ~SideWindow() = default;

  /// One frame of it, in the style of the ImGui context that is current before and afterwards.
  virtual void draw(const std::function<void(const Fonts&)>& content) = 0;
  [[nodiscard]] virtual bool should_close() const = 0;
  /// Whether anything came to it since this was asked last.
  virtual bool take_input() = 0;
};

/// Owns an OpenGL 3.3 core context (current on the creating thread, functions loaded) and an ImGui
/// context with docking. A frame is: begin_frame(), ImGui calls, end_frame(). One surface at a
/// time; everything but wake() belongs to the creating thread.
class Surface {
 public:
  Surface() = default;
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;
  virtual ~Surface() = default;

  virtual void begin_frame() = 0;
  /// Draws and presents it, in memory only if it is looked at. With `capture`, the finished frame is read back
  /// into it.
  virtual void end_frame(Image* capture = nullptr) = 0;

  /// Draws, where that is still to be done, and waits until everything is; for measuring.
  virtual void finish() = 0;

  /// Pixels per unit at which text is comfortable on this monitor: 1, 1.5, 2.
  [[nodiscard]] virtual float content_scale() const = 0;
  [[nodiscard]] virtual bool should_close() const = 0;
  /// The user's wish to close is not to be followed: should_close() is false again.
  virtual void refuse_close() {}
  virtual void set_title(const std::string&) {}
  /// With the fonts of a folder; null where there can be none.
  virtual std::unique_ptr<SideWindow> open_beside(const SurfaceOptions&, const std::string&) {
    return nullptr;
  }
  /// Fills the monitor, or gives it back; without a window nothing happens.
  virtual void set_full_screen(bool) {}
  /// Sleeps until input arrives, wake() is called or `seconds` have passed; 0 only takes in what is
  /// there. True if there was something, so that frames are drawn only when they are needed.
  virtual bool wait(double seconds) = 0;
  /// Ends a wait(), now or the next one. Callable from any thread.
  virtual void wake() = 0;

  /// Called from within wait() with the paths of files dropped on the window.
  std::function<void(const std::vector<std::string>&)> on_drop;
};

/// The surface, or why there is none (no display, no OpenGL 3.3, ...).
struct SurfaceResult {
  std::unique_ptr<Surface> surface;
  std::string error;
};

}  // namespace lanescope::app
