// Elements by their names, and what is wrong by its thread: found in the trace of the inspected
// block. Pure; what moves a selection returns false if it changed nothing.
#pragma once

#include <optional>
#include <string_view>

#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "lanescope/diagnostic.h"

namespace lanescope::app {

/// "in[5][3]", "in[5123]", "tile[0][1]", "sA(5,3)": an element of a buffer, of an array in shared memory or of a
/// tensor that names memory;
/// nullopt if there is none of that name or the subscripts are beyond its extents.
std::optional<Cell> cell_named(const Picture& picture, std::string_view text);

/// Whether a thread of the inspected block touches it.
bool touches(const Picture& picture, const Cell& cell);

/// Pins the cell and selects the warp and the step that first touch it; only pins it if the
/// inspected block does not.
bool go_to_cell(const Picture& picture, Selection& selection, const Cell& cell);

/// To the link of the pinned cell's chain before or behind the one that is looked at; its warp is
/// selected, and its cell is the pinned one from now on.
bool move_link(const Picture& picture, Selection& selection, bool forward);

/// The warp, step and cell of a mistake of the inspected block; of a race its two sides.
bool go_to_mistake(const Picture& picture, Selection& selection, const Diagnostic& mistake);

}  // namespace lanescope::app
