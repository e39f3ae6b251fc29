// The control of a parameter that is one side of the block: chips for what people choose, and a drag
// that keeps the block within the threads that CUDA allows.
#pragma once

#include "views/draw/view_context.h"

namespace lanescope::app {

/// Whether the parameter is an extent of the block.
bool is_block_side(const FrontMatter& matter, const TunableParameter& parameter);

/// The largest value, at most the parameter's own, at which the block has no more than 1,024
/// threads, the other sides being as they are.
long long largest_side(const FrontMatter& matter, const Settings& settings,
                       const TunableParameter& parameter);

/// A drag where the cursor stands, chips below it. Asks for SetParameter.
void block_control(const ViewContext& ctx, const FrontMatter& matter,
                   const TunableParameter& parameter, long long value, Actions& actions);

}  // namespace lanescope::app
