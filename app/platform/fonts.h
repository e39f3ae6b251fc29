// The typefaces of the program, Chinese included.
#pragma once

#include <string>

struct ImFont;

namespace lanescope::app {

struct Fonts {
  ImFont* text = nullptr;    ///< also ImGui's default
  ImFont* strong = nullptr;  ///< headings, numbers that matter
  ImFont* mono = nullptr;    ///< source text, addresses, tables
};

/// Loads the fonts of `folder` (data_folder("fonts")) into the current ImGui context. Sizes are
/// chosen when drawing; a missing file is replaced by ImGui's own font, never by null.
[[nodiscard]] Fonts load_fonts(const std::string& folder);

}  // namespace lanescope::app
