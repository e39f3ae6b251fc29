// Parameters: which kernel, with what, on which block; what it costs in all and whether it is
// right.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

struct ParametersState {
  /// Typed into the kernel picker
  std::string filter;
};
/// Draws the kernel picker, its parameters and launch, the totals. Reads catalog, settings and
/// picture; asks for SelectKernel, SetParameter, SetArgument, SetInspectedBlock, Undo and Redo.
void draw_parameters(const ViewContext& ctx, ParametersState& state, Actions& actions);

}  // namespace lanescope::app
