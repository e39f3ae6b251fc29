// Parameters: which kernel, with what, on which block; what it costs in all and whether it is
// right.
#pragma once

#include "views/view_context.h"

namespace lanescope::app {

struct ParametersState {
  std::string filter;  ///< typed into the kernel picker
};
void draw_parameters(const ViewContext& ctx, ParametersState& state, Actions& actions);

}  // namespace lanescope::app
