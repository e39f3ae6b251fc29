// Markdown laid out in a window: paragraphs, lists, code, in Latin and Chinese type.
#pragma once

#include <string>

#include "core/course/markdown.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// As wide as what is left of the window; `size` is of the type, times the window's own.
void markdown_text(const ViewContext& ctx, const std::string& markdown, float size = 1);
/// Its height in pixels, were it drawn in `width`.
float markdown_height(const ViewContext& ctx, const std::string& markdown, float size, float width);

}  // namespace lanescope::app
