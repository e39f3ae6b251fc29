// Pictures to and from PNG files.
#pragma once

#include <string>

#include "platform/picture/image.h"

namespace lanescope::app {

/// Writes `image` to `file`. Returns what went wrong, or "".
[[nodiscard]] std::string write_png(const std::string& file, const Image& image);

/// Reads any PNG as RGBA. On failure the image is empty and `error` says why.
struct ReadPngResult {
  Image image;
  std::string error;
};
[[nodiscard]] ReadPngResult read_png(const std::string& file);

}  // namespace lanescope::app
