// Drawing on the index map, for a lecture: strokes, a spotlight, a picture that stands still. None of
// it is ever part of a kernel or a file.
#pragma once

#include <vector>

#include "views/draw/view_context.h"

namespace lanescope::app {

struct MapPen {
  enum class Tool : std::uint8_t { none, pen, eraser };
  Tool tool = Tool::none;
  /// Everything but what is around the pointer is dark
  bool spotlight = false;
  /// Nothing moves and nothing lights up
  bool frozen = false;
  struct Stroke {
    ImU32 color = 0;
    /// Parts of the picture's width and height, so that it stays where it was drawn when the window
    /// changes its size
    std::vector<ImVec2> points;
  };
  std::vector<Stroke> strokes;
  /// A stroke is being drawn
  bool down = false;

  /// The pointer draws: it points at nothing.
  [[nodiscard]] bool takes_pointer() const { return tool != Tool::none; }
};

/// Over everything else of the picture between `min` and `max`.
void draw_map_pen(const ViewContext& ctx, MapPen& pen, ImVec2 min, ImVec2 max);
/// Everything that was drawn goes.
void clear_map_pen(MapPen& pen);

}  // namespace lanescope::app
