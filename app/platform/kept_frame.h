// A framebuffer that keeps the frame that was drawn before, which a window's own does not.
#pragma once

namespace lanescope::app {

/// Needs an OpenGL context to be current.
class KeptFrame {
 public:
  KeptFrame() = default;
  ~KeptFrame();
  KeptFrame(const KeptFrame&) = delete;
  KeptFrame& operator=(const KeptFrame&) = delete;

  /// Binds it, made anew where the size is another one. False if OpenGL cannot.
  bool bind(int width, int height);
  /// To the window's own framebuffer. This one stays bound for reading.
  void show() const;

 private:
  void free();
  unsigned framebuffer_ = 0, color_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace lanescope::app
