#include "views/map/map_pen.h"

#include <algorithm>
#include <cmath>

namespace lanescope::app {
namespace {

constexpr float kWidth = 3.5f;      // of a stroke, units
constexpr float kLight = 90;        // radius of the spotlight, units
constexpr float kEraser = 14;       // radius, units
constexpr float kSpacing = 2;       // between two points of a stroke, pixels
constexpr float kDarkness = 0.72f;  // beside the spotlight

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

struct Frame {
  ImVec2 min, max;
  [[nodiscard]] ImVec2 in(ImVec2 at) const {
    return {(at.x - min.x) / std::max(1.0f, max.x - min.x),
            (at.y - min.y) / std::max(1.0f, max.y - min.y)};
  }
  [[nodiscard]] ImVec2 out(ImVec2 at) const {
    return {min.x + at.x * (max.x - min.x), min.y + at.y * (max.y - min.y)};
  }
};

void draw_on(const ViewContext& ctx, MapPen& pen, const Frame& frame) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!pen.down) pen.strokes.push_back({ctx.theme.selection, {}});
  pen.down = true;
  auto& points = pen.strokes.back().points;
  if (points.empty() || distance(frame.out(points.back()), mouse) >= kSpacing)
    points.push_back(frame.in(mouse));
}

// Whole strokes go: a pen's line is one thing.
void erase_at(const ViewContext& ctx, MapPen& pen, const Frame& frame) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::erase_if(pen.strokes, [&](const MapPen::Stroke& stroke) {
    return std::any_of(stroke.points.begin(), stroke.points.end(), [&](ImVec2 point) {
      return distance(frame.out(point), mouse) < kEraser * ctx.scale;
    });
  });
}

void draw_strokes(const ViewContext& ctx, const MapPen& pen, const Frame& frame) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::vector<ImVec2> line;
  for (const MapPen::Stroke& stroke : pen.strokes) {
    line.clear();
    for (const ImVec2 point : stroke.points) line.push_back(frame.out(point));
    const float width = kWidth * ctx.scale;
    if (line.size() == 1) list.AddCircleFilled(line.front(), width * 0.7f, stroke.color);
    list.AddPolyline(line.data(), static_cast<int>(line.size()), ctx.theme.canvas, 0, width + 2);
    list.AddPolyline(line.data(), static_cast<int>(line.size()), stroke.color, 0, width);
  }
}

// A thick ring whose inner edge is the light's: one shape, whatever the size of the window.
void draw_spotlight(const ViewContext& ctx, const Frame& frame) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float far = std::hypot(frame.max.x - frame.min.x, frame.max.y - frame.min.y) + 10;
  const float radius = kLight * ctx.scale;
  list.PushClipRect(frame.min, frame.max, true);
  list.AddCircle(mouse, radius + far / 2, faded(IM_COL32_BLACK, kDarkness), 96, far);
  list.AddCircle(mouse, radius, ctx.theme.selection, 96, 2 * ctx.scale);
  list.PopClipRect();
}

}  // namespace

void clear_map_pen(MapPen& pen) {
  pen.strokes.clear();
  pen.down = false;
}

void draw_map_pen(const ViewContext& ctx, MapPen& pen, ImVec2 min, ImVec2 max) {
  const Frame frame{min, max};
  if (pen.takes_pointer()) {
    ImGui::SetCursorScreenPos(min);
    ImGui::InvisibleButton("pen", {std::max(1.0f, max.x - min.x), std::max(1.0f, max.y - min.y)});
    const bool pressed = ImGui::IsItemActive() && ImGui::IsMouseDown(0);
    if (pressed && pen.tool == MapPen::Tool::pen) {
      draw_on(ctx, pen, frame);
    } else {
      pen.down = false;
    }
    if (pressed && pen.tool == MapPen::Tool::eraser) erase_at(ctx, pen, frame);
    if (ImGui::IsItemHovered() && pen.tool == MapPen::Tool::eraser)
      ImGui::GetWindowDrawList()->AddCircle(ImGui::GetIO().MousePos, kEraser * ctx.scale,
                                            ctx.theme.text, 32, 1.5f * ctx.scale);
  }
  // Beside the picture it lights nothing, and darkens nothing either.
  if (pen.spotlight && ImGui::IsMouseHoveringRect(min, max, false)) draw_spotlight(ctx, frame);
  draw_strokes(ctx, pen, frame);
}

}  // namespace lanescope::app
