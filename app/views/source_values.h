// Hovering the text: what the name under the pointer is worth in each lane, what the access under
// it touches.
#pragma once

#include <optional>
#include <string>

#include "session/lane_values.h"
#include "views/view_context.h"

namespace lanescope::app {

/// What is hovered, worked out once.
struct SourceHover {
  std::string key;
  double since = 0;  ///< ImGui time
  std::optional<LaneValues> values;
  bool shown = false;  ///< out: there was a tooltip in this frame
};

/// `line_text` is line `line` of the text, counted from 1; `index` the byte under the pointer,
/// counted from 0; `selected` what is selected there, or "".
void source_tooltip(const ViewContext& ctx, SourceHover& hover, const std::string& line_text,
                    std::uint32_t line, std::size_t index, const std::string& selected);

}  // namespace lanescope::app
