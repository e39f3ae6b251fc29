// Hovering the text: what the name under the pointer is worth in each lane, what the access under
// it touches.
#pragma once

#include <optional>
#include <string>

#include "core/picture/lane_values.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// What is hovered, worked out once.
struct SourceHover {
  std::string key;
  /// ImGui time
  double since = 0;
  std::optional<LaneValues> values;
  /// Out: there was a tooltip in this frame
  bool shown = false;
};

/// `line_text` is line `line` of the text, counted from 1; `index` the byte under the pointer,
/// counted from 0; `selected` what is selected there, or "".
void source_tooltip(const ViewContext& ctx, SourceHover& hover, const std::string& line_text,
                    std::uint32_t line, std::size_t index, const std::string& selected);

}  // namespace lanescope::app
