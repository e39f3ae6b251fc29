// Who meets whom in a race: the two executions in the trace of the inspected block. Pure.
#pragma once

#include <optional>

#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "lanescope/diagnostic.h"

namespace lanescope::app {

/// The race of a mistake whose own side is `named`. Of all threads that touch the cell without a
/// barrier in between, one of the two storing, the other side is the one whom the message names.
/// nullopt if the mistake is no race, or the other one is in another block.
std::optional<Race> race_of(const Picture& picture, const Diagnostic& mistake,
                            const ChainLink& named);

}  // namespace lanescope::app
