// Where a value comes from and where it goes: global-in → shared tile cell → global-out. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/picture/picture.h"
#include "core/picture/selection.h"

namespace lanescope::app {

/// The selected warp's execution of the selected access that is looked at: the selected step if it
/// is one, else the last before it, else the first after it. nullopt: the warp never executes it.
std::optional<std::size_t> shown_access_step(const Picture& picture, const Selection& selection);

/// The whole chain through what the selection points at, in the order the data flow. Works from any
/// point of it: the hovered lane, else the hovered cell, else the pinned lane, else the pinned
/// cell. A lane stands for its part of `shown_access_step`; a cell for the execution nearest to it
/// in the selected warp, else in any warp. Empty if nothing recorded touches it.
std::vector<ChainLink> chain_of(const Picture& picture, const Selection& selection);

}  // namespace lanescope::app
