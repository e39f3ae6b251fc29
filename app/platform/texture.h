// A picture on the graphics card, for dense grids: one quad instead of a rectangle a cell.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::app {

/// Needs the surface's OpenGL context to be current, and must go before the surface does.
class Texture {
 public:
  Texture() = default;
  ~Texture();
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  /// Replaces the content: `width * height` colours as IM_COL32 makes them, row by row from the
  /// top.
  void upload(int width, int height, std::span<const std::uint32_t> pixels);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] ImTextureRef ref() const;
  /// As they were uploaded.
  [[nodiscard]] std::span<const std::uint32_t> pixels() const { return pixels_; }

  /// Draws the whole texture between two corners, each texel with sharp edges.
  void draw_sharp(ImDrawList& list, ImVec2 min, ImVec2 max) const;

  /// For pictures that are not pixels: draw_sharp() draws a rectangle for each run of equal texels.
  static void draw_as_rectangles(bool on);
  /// Of a texture by its name in OpenGL: another number whenever its content is replaced.
  static std::uint64_t version(unsigned id);

 private:
  unsigned id_ = 0;
  int width_ = 0, height_ = 0;
  std::vector<std::uint32_t> pixels_;
};

}  // namespace lanescope::app
