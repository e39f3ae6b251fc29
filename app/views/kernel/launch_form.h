// The launch, edited: all of it for a file without front matter, made from the kernel's parameters;
// block, grid and dynamic shared memory as a fold for any other.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

/// Kernel, launches of the program, block, grid, shared memory, a row for each parameter.
void launch_form(const ViewContext& ctx, Actions& actions);
/// A launch that its program made: told, and a way to make it one's own.
void program_launch(const ViewContext& ctx, Actions& actions);
/// Overrides what the front matter says.
void launch_override(const ViewContext& ctx, Actions& actions);

}  // namespace lanescope::app
