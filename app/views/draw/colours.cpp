#include "views/draw/colours.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::app {
namespace {

constexpr double kPi = 3.14159265358979323846;

constexpr ImU32 rgb(unsigned hex) {
  return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255);
}

double to_srgb(double linear) {
  linear = std::clamp(linear, 0.0, 1.0);
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

// OKLCH to sRGB, by the matrices of B. Ottosson, "A perceptual color space for image processing".
ImU32 oklch(double lightness, double chroma, double hue_degrees) {
  const double a = chroma * std::cos(hue_degrees * kPi / 180);
  const double b = chroma * std::sin(hue_degrees * kPi / 180);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  const double red = to_srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const double green = to_srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const double blue = to_srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
  const auto byte = [](double v) { return static_cast<int>(std::lround(v * 255)); };
  return IM_COL32(byte(red), byte(green), byte(blue), 255);
}

std::array<ImU32, 32> make_bank_ramp() {
  std::array<ImU32, 32> ramp{};
  for (int bank = 0; bank < 32; ++bank) {
    const double t = bank / 31.0;
    ramp[static_cast<std::size_t>(bank)] =
        oklch(0.42 + 0.48 * t, 0.13 + 0.02 * std::sin(kPi * t), 300 - 195 * t);
  }
  return ramp;
}

// Linear light, by the byte. Every number on a coloured cell asks for it in every frame.
std::array<double, 256> make_linear() {
  std::array<double, 256> linear{};
  for (std::size_t byte = 0; byte < linear.size(); ++byte) {
    const double v = static_cast<double>(byte) / 255.0;
    linear[byte] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  return linear;
}

double channel(ImU32 color, int shift) {
  static const std::array<double, 256> linear = make_linear();
  return linear[(color >> shift) & 255];
}

double luminance(ImU32 color) {
  return 0.2126 * channel(color, IM_COL32_R_SHIFT) + 0.7152 * channel(color, IM_COL32_G_SHIFT) +
         0.0722 * channel(color, IM_COL32_B_SHIFT);
}

ImVec4 vec(ImU32 color) { return ImGui::ColorConvertU32ToFloat4(color); }

void set_accents(ImGuiStyle& style, const Theme& theme) {
  ImVec4* c = style.Colors;
  const ImU32 accent = theme.dark ? rgb(0x3A7CA5) : rgb(0x9CC9E8);
  for (int id : {ImGuiCol_Button, ImGuiCol_Header, ImGuiCol_TabSelected})
    c[id] = vec(faded(accent, 0.55f));
  for (int id : {ImGuiCol_ButtonHovered, ImGuiCol_HeaderHovered, ImGuiCol_TabHovered})
    c[id] = vec(faded(accent, 0.8f));
  for (int id : {ImGuiCol_ButtonActive, ImGuiCol_HeaderActive}) c[id] = vec(accent);
  c[ImGuiCol_Tab] = vec(faded(accent, 0.2f));
  c[ImGuiCol_TabDimmed] = c[ImGuiCol_Tab];
  c[ImGuiCol_TabDimmedSelected] = vec(faded(accent, 0.4f));
  c[ImGuiCol_TabSelectedOverline] = vec(theme.lane);
  c[ImGuiCol_SliderGrab] = vec(faded(theme.lane, 0.6f));
  c[ImGuiCol_SliderGrabActive] = vec(faded(theme.selection, 0.6f));
  c[ImGuiCol_CheckMark] = vec(theme.lane);
  c[ImGuiCol_PlotHistogram] = vec(theme.lane);
  c[ImGuiCol_TextSelectedBg] = vec(faded(accent, 0.6f));
  c[ImGuiCol_NavCursor] = vec(theme.lane);
}

}  // namespace

const Theme& dark_theme() {
  static const Theme theme{.dark = true,
                           .canvas = rgb(0x16191F),
                           .text = rgb(0xECEFF4),
                           .dim = rgb(0xA3ACBA),
                           .grid = rgb(0x2C323D),
                           .cell = rgb(0x474F5C),
                           .empty = rgb(0x20242C),
                           .hatch = rgb(0x8A93A1),
                           .lane = rgb(0x56B4E9),
                           .selection = rgb(0xFF8AD0),
                           .good = rgb(0x2FC79B),
                           .warning = rgb(0xF0B93A),
                           .error = rgb(0xFF7A66),
                           .used = rgb(0x56B4E9),
                           .wasted = rgb(0x5A4634),
                           .barrier = rgb(0xD8DEE9)};
  return theme;
}

const Theme& light_theme() {
  static const Theme theme{.dark = false,
                           .canvas = rgb(0xFFFFFF),
                           .text = rgb(0x14181F),
                           .dim = rgb(0x4E5866),
                           .grid = rgb(0xD5DAE2),
                           .cell = rgb(0xC3CAD5),
                           .empty = rgb(0xF1F3F6),
                           .hatch = rgb(0x7B8493),
                           .lane = rgb(0x0072B2),
                           .selection = rgb(0xC2187F),
                           .good = rgb(0x007A5A),
                           .warning = rgb(0x9A6A00),
                           .error = rgb(0xB83200),
                           .used = rgb(0x0072B2),
                           .wasted = rgb(0xF0D9C0),
                           .barrier = rgb(0x2B3240)};
  return theme;
}

const Theme& high_contrast_theme() {
  static const Theme theme{.dark = true,
                           .outlined = true,
                           .canvas = rgb(0x000000),
                           .text = rgb(0xFFFFFF),
                           .dim = rgb(0xDCE3EC),
                           .grid = rgb(0x6B7480),
                           .cell = rgb(0x3C434E),
                           .empty = rgb(0x101216),
                           .hatch = rgb(0xC8D0DA),
                           .lane = rgb(0x6CCBFF),
                           .selection = rgb(0xFF9CDD),
                           .good = rgb(0x3BE8B7),
                           .warning = rgb(0xFFD24D),
                           .error = rgb(0xFF9A88),
                           .used = rgb(0x6CCBFF),
                           .wasted = rgb(0x7A5A36),
                           .barrier = rgb(0xFFFFFF)};
  return theme;
}

const Theme& theme_of(ThemeId id) {
  if (id == ThemeId::light) return light_theme();
  return id == ThemeId::high_contrast ? high_contrast_theme() : dark_theme();
}

namespace {

// Black behind everything, and an edge around whatever can be pressed.
void set_high_contrast(ImGuiStyle& style, const Theme& theme) {
  ImVec4* c = style.Colors;
  for (int id : {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_MenuBarBg, ImGuiCol_TitleBg,
                 ImGuiCol_TitleBgActive, ImGuiCol_FrameBg})
    c[id] = vec(theme.canvas);
  for (int id :
       {ImGuiCol_Border, ImGuiCol_Separator, ImGuiCol_TableBorderLight, ImGuiCol_TableBorderStrong})
    c[id] = vec(theme.hatch);
  for (int id : {ImGuiCol_Button, ImGuiCol_Header, ImGuiCol_TabSelected, ImGuiCol_FrameBgHovered,
                 ImGuiCol_FrameBgActive, ImGuiCol_TabDimmedSelected})
    c[id] = vec(rgb(0x0B3A57));
  for (int id : {ImGuiCol_ButtonHovered, ImGuiCol_HeaderHovered, ImGuiCol_TabHovered,
                 ImGuiCol_ButtonActive, ImGuiCol_HeaderActive})
    c[id] = vec(rgb(0x14527A));
  c[ImGuiCol_TableHeaderBg] = vec(rgb(0x0B3A57));
  c[ImGuiCol_SliderGrab] = vec(rgb(0x14527A));
  style.FrameBorderSize = style.PopupBorderSize = style.TabBorderSize = 1;
}

}  // namespace

void apply_theme(const Theme& theme) {
  ImGuiStyle& style = ImGui::GetStyle();
  ImVec4* c = style.Colors;
  if (theme.dark) {
    ImGui::StyleColorsDark();
  } else {
    ImGui::StyleColorsLight();
  }
  c[ImGuiCol_WindowBg] = vec(theme.dark ? rgb(0x1B1F26) : rgb(0xF8F9FB));
  c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_PopupBg] = vec(theme.dark ? rgb(0x232832) : rgb(0xFFFFFF));
  c[ImGuiCol_MenuBarBg] = vec(theme.dark ? rgb(0x14171C) : rgb(0xE9ECF1));
  c[ImGuiCol_TitleBg] = c[ImGuiCol_MenuBarBg];
  c[ImGuiCol_TitleBgActive] = c[ImGuiCol_MenuBarBg];
  c[ImGuiCol_FrameBg] = vec(theme.dark ? rgb(0x2B313C) : rgb(0xE4E8EE));
  c[ImGuiCol_FrameBgHovered] = vec(theme.dark ? rgb(0x363E4B) : rgb(0xD8DEE7));
  c[ImGuiCol_FrameBgActive] = c[ImGuiCol_FrameBgHovered];
  c[ImGuiCol_Text] = vec(theme.text);
  c[ImGuiCol_TextDisabled] = vec(theme.dim);
  c[ImGuiCol_Border] = vec(theme.grid);
  c[ImGuiCol_Separator] = vec(theme.grid);
  c[ImGuiCol_TableHeaderBg] = c[ImGuiCol_FrameBg];
  c[ImGuiCol_TableBorderLight] = vec(theme.grid);
  c[ImGuiCol_TableBorderStrong] = vec(theme.grid);
  set_accents(style, theme);
  if (theme.outlined) set_high_contrast(style, theme);
}

ImU32 bank_color(int bank) {
  static const std::array<ImU32, 32> ramp = make_bank_ramp();
  return ramp[static_cast<std::size_t>(bank) & 31u];
}

ImU32 heat_color(double ratio) {
  if (!(ratio > 1.0)) return rgb(0x1FA187);
  static constexpr std::array<ImU32, 5> stops{rgb(0xF0E442), rgb(0xF0C23A), rgb(0xE69F00),
                                              rgb(0xE07B1A), rgb(0xD55E00)};
  const double t = std::clamp(std::log2(ratio) / 5.0, 0.0, 1.0) * (stops.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(t), stops.size() - 2);
  return mixed(stops[i], stops[i + 1], static_cast<float>(t - static_cast<double>(i)));
}

double contrast(ImU32 a, ImU32 b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

ImU32 text_on(ImU32 background) {
  return luminance(background) > 0.2 ? IM_COL32(0, 0, 0, 255) : IM_COL32(255, 255, 255, 255);
}

ImU32 faded(ImU32 color, float alpha) {
  const auto a =
      static_cast<float>((color >> IM_COL32_A_SHIFT) & 255) * std::clamp(alpha, 0.0f, 1.0f);
  return (color & ~IM_COL32_A_MASK) | (static_cast<ImU32>(a + 0.5f) << IM_COL32_A_SHIFT);
}

ImU32 mixed(ImU32 a, ImU32 b, float t) {
  ImU32 result = 0;
  const float part = std::clamp(t, 0.0f, 1.0f);
  for (int shift : {0, 8, 16, 24}) {
    const auto from = static_cast<float>((a >> shift) & 255),
               to = static_cast<float>((b >> shift) & 255);
    result |= static_cast<ImU32>(from + (to - from) * part + 0.5f) << shift;
  }
  return result;
}

}  // namespace lanescope::app
