// A Markdown text in a view: paragraphs, lists and code, wrapped to the room that there is.
#pragma once

#include <string>

#include "views/draw/view_context.h"

namespace lanescope::app {

/// Draws it at the cursor, as one item. `size`: of its letters, over those of the view.
void draw_markdown(const ViewContext& ctx, const std::string& text, float size = 1);

}  // namespace lanescope::app
