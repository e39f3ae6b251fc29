// The typefaces of the program, Chinese included.
#pragma once

#include <string>

struct ImFont;

namespace lanescope::app {

struct Fonts {
  /// Also ImGui's default
  ImFont* text = nullptr;
  /// Headings, numbers that matter
  ImFont* strong = nullptr;
  /// Source text, addresses, tables
  ImFont* mono = nullptr;
};

/// Loads the fonts of `folder` (data_folder("fonts")) into the current ImGui context. Sizes are
/// chosen when drawing; a missing file is replaced by ImGui's own font, never by null.
[[nodiscard]] Fonts load_fonts(const std::string& folder);

}  // namespace lanescope::app
