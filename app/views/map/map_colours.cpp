#include "views/map/map_colours.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::app {
namespace {

constexpr float kAhead = 0.5f;    // how far what is yet to come falls back
constexpr float kCopied = 0.45f;  // how far an element that has been copied falls back

// OKLCH, as Ottosson defines OKLab; what a display cannot show is cut off.
ImU32 from_oklch(float lightness, float chroma, float hue) {
  const float a = chroma * std::cos(hue), b = chroma * std::sin(hue);
  const float l = std::pow(lightness + 0.3963377774f * a + 0.2158037573f * b, 3.0f);
  const float m = std::pow(lightness - 0.1055613458f * a - 0.0638541728f * b, 3.0f);
  const float s = std::pow(lightness - 0.0894841775f * a - 1.2914855480f * b, 3.0f);
  const auto channel = [](float linear) {
    const float v = std::clamp(linear, 0.0f, 1.0f);
    const float gamma = v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
    return static_cast<int>(std::lround(gamma * 255));
  };
  return IM_COL32(channel(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
                  channel(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
                  channel(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s), 255);
}

ImU32 held_color(const ViewContext& ctx, const IndexMapState& state, Token token) {
  if (token == kGarbage) return ctx.theme.error;
  return token_color(ctx, state, token);
}

ImU32 thread_cell(const ViewContext& ctx, const IndexMapState& state, const ThreadGrid& grid,
                  PanelRole role, std::uint64_t row, std::uint64_t col) {
  const int thread =
      grid.thread_at(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col));
  if (thread < 0) return ctx.theme.empty;
  const auto warp = static_cast<std::uint32_t>(thread / kLanes);
  const Held held = state.journey.replay->lane(warp, thread % kLanes);
  const bool two = state.journey.writers.has_value();
  const bool from_tile =
      held.token != kNothing && state.journey.journey->moves()[held.move].leg == Leg::tile_load;
  const bool here = !two || from_tile == (role == PanelRole::writers);
  return held.token != kNothing && here ? held_color(ctx, state, held.token)
                                        : warp_color(ctx, warp);
}

// A cell as the moment has it.
ImU32 held_cell(const ViewContext& ctx, const IndexMapState& state,
                const IndexMapState::Drawn& drawn, std::uint64_t row, std::uint64_t col) {
  const MapPanel& panel = drawn.panel;
  if (is_threads(panel.role)) return thread_cell(ctx, state, *drawn.grid, panel.role, row, col);
  if (!panel.is_touched(row, col)) return ctx.theme.empty;
  const std::uint64_t address = panel.address(row, col);
  const Held held = state.journey.replay->cell(address);
  if (panel.role == PanelRole::input && held.token == kNothing) {
    const ImU32 color = token_color(ctx, state, address);
    const auto copied = state.journey.journey->loaded_by(address);
    const bool gone = copied && *copied < state.journey.replay->done();
    return gone ? mixed(color, ctx.theme.canvas, kCopied) : color;
  }
  if (held.token != kNothing) return held_color(ctx, state, held.token);
  const bool bank = panel.role == PanelRole::tile && state.colours == MapColours::banks;
  return bank ? mixed(bank_color(static_cast<int>(address / kBankBytes % kBanks)), ctx.theme.canvas,
                      0.75f)
              : mixed(ctx.theme.empty, ctx.theme.cell, 0.35f);
}

}  // namespace

ImU32 element_color(float row, float col) {
  // From yellow to purple: the reds are errors, the pinks what is selected.
  return from_oklch(0.60f + 0.22f * col, 0.13f, 1.25f + row * 4.2f);
}

ImU32 warp_color(const ViewContext& ctx, std::uint32_t warp) {
  constexpr std::uint32_t kHues = 8;
  // A cell after the other asks for them, in every frame.
  static const auto kPale = [] {
    std::array<std::array<ImU32, kHues>, 2> colors;
    for (std::uint32_t hue = 0; hue < kHues; ++hue)
      for (const bool dark : {false, true})
        colors[dark][hue] =
            from_oklch(dark ? 0.55f : 0.8f, 0.05f, 0.35f + static_cast<float>(hue) * 0.785f);
    return colors;
  }();
  const ImU32 pale = kPale[ctx.theme.dark][warp % kHues];
  return mixed(pale, ctx.theme.canvas, warp % 2 == 0 ? 0.45f : 0.25f);
}

ImU32 token_color(const ViewContext& ctx, const IndexMapState& state, Token token) {
  if (!is_element(token)) return token == kGarbage ? ctx.theme.error : ctx.theme.cell;
  if (state.colours == MapColours::banks) {
    if (const auto cell = state.journey.journey->cell_of(token))
      return bank_color(static_cast<int>(*cell / kBankBytes % kBanks));
  }
  for (const IndexMapState::Drawn& drawn : state.panels) {
    if (drawn.panel.role != PanelRole::input) continue;
    const auto at = drawn.panel.at(token);
    if (!at || !drawn.panel.box.contains(at->row, at->col)) continue;
    const CellWindow& box = drawn.panel.box;
    const auto part = [](std::uint64_t i, std::uint64_t n) {
      return static_cast<float>(i) / static_cast<float>(std::max<std::uint64_t>(1, n));
    };
    return element_color(part(at->row - box.row, box.rows), part(at->col - box.col, box.cols));
  }
  return ctx.theme.cell;
}

ImU32 cell_color(const ViewContext& ctx, const IndexMapState& state,
                 const IndexMapState::Drawn& drawn, std::uint64_t row, std::uint64_t col) {
  const ImU32 color = held_cell(ctx, state, drawn, row, col);
  const bool ahead = !state.zoomed && drawn.panel.role > state.reached;
  return ahead ? mixed(color, ctx.theme.canvas, kAhead) : color;
}

}  // namespace lanescope::app
