// What of a frame differs from the frame before. Where OpenGL draws in software a frame costs what
// it fills, and of most frames little has changed.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace lanescope::app {

/// Pixels from the top left corner, half open.
struct PixelRect {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  [[nodiscard]] long area() const { return static_cast<long>(x1 - x0) * (y1 - y0); }
  bool operator==(const PixelRect&) const = default;
};

class Damage {
 public:
  /// Rectangles that hold everything that differs from the frame of the last call; all of it the
  /// first time and when the size or the ground is another one. They may overlap.
  std::vector<PixelRect> next(const ImDrawData& frame, int width, int height, ImU32 ground = 0);

 private:
  void mix_list(const ImDrawList& list, ImVec2 origin, ImVec2 scale);
  void mix(ImVec2 min, ImVec2 max, std::uint64_t hash);
  [[nodiscard]] std::vector<PixelRect> changed(const std::vector<std::uint64_t>& before) const;

  ImU32 ground_ = 0;
  int width_ = 0, height_ = 0, columns_ = 0, rows_ = 0;
  /// By tile: of every triangle that reaches into it, in the order of drawing
  std::vector<std::uint64_t> tiles_;
};

/// While it lives, a frame's lists hold only what reaches into a rectangle, cut off at its edges.
class CutFrame {
 public:
  CutFrame(ImDrawData& frame, const PixelRect& rect);
  ~CutFrame();
  CutFrame(const CutFrame&) = delete;
  CutFrame& operator=(const CutFrame&) = delete;

 private:
  ImDrawData& frame_;
  struct Whole {
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
  };
  std::vector<Whole> whole_;
};

}  // namespace lanescope::app
