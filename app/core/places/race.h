// Who meets whom in a race: the two executions in the trace of the inspected block, or one of them and
// the name of the other. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "lanescope/diagnostic.h"

namespace lanescope::app {

/// The race of a mistake whose own side is `named`. Of all threads that touch the cell without a
/// barrier in between, one of the two storing, the other side is the one whom the message names.
/// nullopt if the mistake is no race, or the other one is in another block.
std::optional<Race> race_of(const Picture& picture, const Diagnostic& mistake,
                            const ChainLink& named);

/// A race whose two sides are in different blocks, seen from the inspected one.
struct RaceApart {
  /// Of the inspected block
  ChainLink here;
  /// The other one, and the line in which it touches the cell
  Dim3 block, thread;
  std::uint32_t line = 0;
};
/// The race of one of these mistakes in which one of those that touch the pinned cell takes part.
/// nullopt where there is none, or both sides are in this block.
std::optional<RaceApart> race_apart(const Picture& picture, const std::vector<ChainLink>& touching,
                                    const std::vector<Diagnostic>& mistakes);
/// What to show in order to see it from its other side.
Diagnostic other_side(const RaceApart& race);

}  // namespace lanescope::app
