#include "platform/texture.h"

#include <glad/gl.h>

#include <unordered_map>

namespace lanescope::app {

namespace {

bool as_rectangles = false;
std::uint64_t uploads = 0;
std::unordered_map<unsigned, std::uint64_t> versions;

void draw_texels(ImDrawList& list, ImVec2 min, ImVec2 max, int width, int height,
                 const std::vector<std::uint32_t>& pixels) {
  const ImVec2 texel{(max.x - min.x) / static_cast<float>(width),
                     (max.y - min.y) / static_cast<float>(height)};
  for (int y = 0; y < height; ++y) {
    const std::uint32_t* row =
        pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
    for (int x = 0; x < width;) {
      const int first = x;
      while (x < width && row[x] == row[first]) ++x;
      list.AddRectFilled(
          {min.x + texel.x * static_cast<float>(first), min.y + texel.y * static_cast<float>(y)},
          {min.x + texel.x * static_cast<float>(x), min.y + texel.y * static_cast<float>(y + 1)},
          row[first]);
    }
  }
}

}  // namespace

void Texture::draw_as_rectangles(bool on) { as_rectangles = on; }

std::uint64_t Texture::version(unsigned id) {
  const auto found = versions.find(id);
  return found == versions.end() ? 0 : found->second;
}

Texture::~Texture() {
  versions.erase(id_);
  if (id_) glDeleteTextures(1, &id_);
}

void Texture::upload(int width, int height, std::span<const std::uint32_t> pixels) {
  IM_ASSERT(pixels.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  pixels_.assign(pixels.begin(), pixels.end());
  const bool same_size = id_ && width == width_ && height == height_;
  if (!id_) glGenTextures(1, &id_);
  versions[id_] = ++uploads;
  glBindTexture(GL_TEXTURE_2D, id_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  if (same_size) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                    pixels.data());
    return;
  }
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               pixels.data());
  width_ = width, height_ = height;
}

ImTextureRef Texture::ref() const { return ImTextureRef(static_cast<ImTextureID>(id_)); }

void Texture::draw_sharp(ImDrawList& list, ImVec2 min, ImVec2 max) const {
  if (!id_) return;
  if (as_rectangles) return draw_texels(list, min, max, width_, height_, pixels_);
  // The back-end binds its own sampler over the texture's, so ask it for its nearest one.
  const ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  list.AddCallback(platform.DrawCallback_SetSamplerNearest, nullptr);
  list.AddImage(ref(), min, max);
  list.AddCallback(platform.DrawCallback_SetSamplerLinear, nullptr);
}

}  // namespace lanescope::app
