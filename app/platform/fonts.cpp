#include "platform/fonts.h"

#include <imgui.h>

#include <filesystem>

namespace lanescope::app {

namespace {

// Glyphs are rasterised when first drawn, so that Chinese costs nothing until it is shown.
ImFont* load(const std::string& folder, const char* name) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const auto file = std::filesystem::path(folder) / name;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return atlas.AddFontDefault();
  ImFont* font = atlas.AddFontFromFileTTF(file.c_str());
  if (!font) return atlas.AddFontDefault();

  const auto chinese = std::filesystem::path(folder) / "wqy-microhei.ttc";
  if (std::filesystem::is_regular_file(chinese, error)) {
    ImFontConfig config;
    config.MergeMode = true;
    atlas.AddFontFromFileTTF(chinese.c_str(), 0.0f, &config);
  }
  // Digits in groups stand apart by a space that this font may not have.
  constexpr ImWchar kNarrowSpace = 0x202f, kSpace = 0x20;
  if (!font->IsGlyphInFont(kNarrowSpace)) font->AddRemapChar(kNarrowSpace, kSpace);
  return font;
}

}  // namespace

Fonts load_fonts(const std::string& folder) {
  Fonts fonts;
  fonts.text = load(folder, "Inter-Regular.otf");
  fonts.strong = load(folder, "Inter-SemiBold.otf");
  fonts.mono = load(folder, "JetBrainsMono-Regular.ttf");
  ImGui::GetIO().FontDefault = fonts.text;
  return fonts;
}

}  // namespace lanescope::app
