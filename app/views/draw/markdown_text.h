// Markdown laid out in a window: paragraphs, lists, code, in Latin and Chinese type.
#pragma once

#include <cstdint>
#include <string>

#include "core/course/markdown.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// How far lines stand apart.
enum class Leading : std::uint8_t { easy, close };

/// `size` is of the type, times the window's own; `width` in pixels, 0: what is left of the window.
void markdown_text(const ViewContext& ctx, const std::string& markdown, float size = 1,
                   Leading leading = Leading::easy, float width = 0);
/// Its height in pixels, were it drawn in `width`.
float markdown_height(const ViewContext& ctx, const std::string& markdown, float size, float width,
                      Leading leading = Leading::easy);

}  // namespace lanescope::app
