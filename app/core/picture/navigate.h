// How the selection moves through a picture's trace. Pure; each returns false if it changed
// nothing.
#pragma once

#include "core/picture/picture.h"
#include "core/picture/selection.h"

namespace lanescope::app {

/// Warp 0 at its worst access: with most conflicts, else with most sectors in vain; where nothing is
/// wrong at its first load from shared memory, else at its first access.
Selection default_selection(const Picture& picture);

/// The selection of an older picture found again in a newer one: the same warp, the same access by
/// its position and operation (else by its text), the same execution of it.
Selection relocate(const Picture& older, const Selection& selection, const Picture& newer);

/// A selection that was kept in a file, as far as the picture has what it names.
Selection restored_selection(const Picture& picture, const Selection& kept);

bool select_warp(const Picture& picture, Selection& selection, std::uint32_t warp);
bool select_step(const Picture& picture, Selection& selection, std::size_t step);
/// And the selected warp's next step that executes it, going round at the end.
bool select_access(const Picture& picture, Selection& selection, int access);
bool move_step(const Picture& picture, Selection& selection, StepMove move);

}  // namespace lanescope::app
