#include "views/map/map_header.h"

#include <algorithm>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr float kSmall = 0.85f;     // of the text size, for the less important words
constexpr float kOverview = 1.95f;  // side of the little matrix, in text sizes

std::string range(std::uint64_t first, std::uint64_t count) {
  return count <= 1 ? std::to_string(first)
                    : std::to_string(first) + "–" + std::to_string(first + count - 1);
}

bool has_overview(const MapPanel& panel) { return panel.role != PanelRole::tile && !panel.wrapped; }

std::string shape_text(const MapPanel& panel) { return panel.shape + " " + panel.type; }

float header_width(const ViewContext& ctx, const Drawn& drawn, MapHeader header) {
  const float size = ImGui::GetFontSize();
  const auto width = [](ImFont* font, float px, const std::string& text) {
    return font->CalcTextSizeA(px, FLT_MAX, 0, text.c_str()).x;
  };
  const float name = width(ctx.fonts.strong, size, drawn.panel.name);
  const float shape = width(ctx.fonts.text, size * kSmall, shape_text(drawn.panel));
  const float where = width(ctx.fonts.text, size * kSmall, drawn.where);
  if (header == MapHeader::stacked) return std::max({name, shape, where});
  if (header == MapHeader::name) return 0;
  const float overview = has_overview(drawn.panel) ? size * kOverview + 7 * ctx.scale : 0;
  return overview + std::max(name + 6 * ctx.scale + shape, where);
}

// Where the window sits in the whole matrix; returns how much room it took.
float draw_overview(const ViewContext& ctx, const Drawn& drawn, ImVec2 min, float side) {
  const auto rows = static_cast<float>(drawn.panel.rows),
             cols = static_cast<float>(drawn.panel.cols);
  const float unit = side / std::max(rows, cols), least = 3 * ctx.scale;
  const ImVec2 max{min.x + std::max(least, cols * unit), min.y + std::max(least, rows * unit)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, max, ctx.theme.cell);
  const auto place = [least](float from, float to, float scale, std::uint64_t first,
                             std::uint64_t count) {
    const float size = std::max(least, scale * static_cast<float>(count));
    const float start = std::min(from + scale * static_cast<float>(first), to - size);
    return std::pair{start, start + size};
  };
  const auto [left, right] = place(min.x, max.x, unit, drawn.window.col, drawn.window.cols);
  const auto [top, bottom] = place(min.y, max.y, unit, drawn.window.row, drawn.window.rows);
  list.AddRectFilled({left, top}, {right, bottom}, ctx.theme.lane);
  return max.x - min.x + 7 * ctx.scale;
}

}  // namespace

std::string map_window_text(const MapPanel& panel, const CellWindow& window) {
  if (panel.role == PanelRole::tile) {
    return panel.pitched ? tr("shared, pitch {0}", {std::to_string(panel.cols)})
                         : tr("shared, shown {0} a row", {std::to_string(panel.cols)});
  }
  if (panel.wrapped)
    return tr("elements {0}", {range(window.row * panel.cols, window.rows * panel.cols)});
  return "[" + range(window.row, window.rows) + "][" + range(window.col, window.cols) + "]  " +
         std::to_string(window.rows) + " × " + std::to_string(window.cols);
}

float map_header_height(MapHeader header) {
  return ImGui::GetTextLineHeight() * (header == MapHeader::stacked ? 3.35f : 2.35f);
}

MapColumns map_header_widths(const ViewContext& ctx, const IndexMapState& state, MapHeader header) {
  MapColumns widths{};
  for (const Drawn& drawn : state.panels) {
    float& width = widths[map_column_of(drawn)];
    width = std::max(width, header_width(ctx, drawn, header));
  }
  return widths;
}

MapHeader choose_map_header(const ViewContext& ctx, IndexMapState& state,
                            const std::function<bool(const MapColumns&)>& fits) {
  MapHeader chosen = MapHeader::name;
  for (const MapHeader header : {MapHeader::stacked, MapHeader::full}) {
    if (fits(map_header_widths(ctx, state, header))) chosen = header;
  }
  for (Drawn& drawn : state.panels) drawn.header = chosen;
  return chosen;
}

void draw_map_header(const ViewContext& ctx, const Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = ImGui::GetFontSize(), small = size * kSmall;
  ImVec2 at{drawn.min.x, drawn.min.y - map_header_height(drawn.header) + size * 0.1f};
  const bool full = drawn.header == MapHeader::full;
  if (full && has_overview(drawn.panel))
    at.x += draw_overview(ctx, drawn, {at.x, at.y + 2 * ctx.scale}, size * kOverview);
  if (drawn.header == MapHeader::name)  // cut off where the panel ends
    list.PushClipRect(at, {std::max(drawn.max.x, at.x + size * 4), drawn.max.y}, true);
  list.AddText(ctx.fonts.strong, size, at, ctx.theme.text, drawn.panel.name.c_str());
  const float name = ctx.fonts.strong->CalcTextSizeA(size, FLT_MAX, 0, drawn.panel.name.c_str()).x;
  const ImVec2 shape = full ? ImVec2{at.x + name + 6 * ctx.scale, at.y + (size - small) * 0.8f}
                            : ImVec2{at.x, at.y + size * 1.2f};
  list.AddText(ctx.fonts.text, small, shape, ctx.theme.dim, shape_text(drawn.panel).c_str());
  if (drawn.header == MapHeader::name) return list.PopClipRect();
  list.AddText(ctx.fonts.text, small, {at.x, at.y + size * (full ? 1.2f : 2.2f)}, ctx.theme.dim,
               drawn.where.c_str());
}

}  // namespace lanescope::app
