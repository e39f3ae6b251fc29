#include "platform/picture/png.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace lanescope::app {

namespace {

struct Sink {
  std::FILE* file;
  bool ok;
};

void write_bytes(void* context, void* data, int size) {
  auto* sink = static_cast<Sink*>(context);
  const auto bytes = static_cast<std::size_t>(size);
  sink->ok = sink->ok && std::fwrite(data, 1, bytes, sink->file) == bytes;
}

}  // namespace

std::string write_png(const std::string& file, const Image& image) {
  if (image.empty()) return "cannot write '" + file + "': the picture is empty";
  std::FILE* out = std::fopen(file.c_str(), "wb");
  if (!out) return "cannot write '" + file + "': " + std::strerror(errno);
  // Through our own sink, because stb's file writer does not notice a full disk.
  Sink sink{out, true};
  const bool encoded = stbi_write_png_to_func(write_bytes, &sink, image.width, image.height, 4,
                                              image.rgba.data(), image.width * 4) != 0;
  const bool closed = std::fclose(out) == 0;
  if (!encoded || !sink.ok || !closed)
    return "cannot write '" + file + "': " + std::strerror(errno);
  return "";
}

ReadPngResult read_png(const std::string& file) {
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(file.c_str(), &width, &height, &channels, 4), stbi_image_free);
  if (!pixels) return {{}, "cannot read '" + file + "': " + stbi_failure_reason()};
  const auto bytes = 4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  return {{width, height, {pixels.get(), pixels.get() + bytes}}, ""};
}

}  // namespace lanescope::app
