// Which block of the grid touches an element that the inspected one does not. Pure.
#pragma once

#include <vector>

#include "core/picture/picture.h"
#include "core/picture/selection.h"

namespace lanescope::app {

/// The blocks that might, the likeliest first: as if every block touched a part of the buffer as
/// large as the inspected one does, side by side. Only a run of a block can tell whether it does.
/// Empty for an element of shared memory, and where the inspected block does not touch the buffer.
std::vector<Dim3> blocks_that_may_touch(const Picture& picture, const Cell& cell);

}  // namespace lanescope::app
