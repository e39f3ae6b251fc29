// The headless twin of the window: the same frames, drawn into memory. Needs no display and, with a
// software OpenGL such as Mesa's, no graphics card.
#pragma once

#include "platform/surface.h"

namespace lanescope::app {

[[nodiscard]] SurfaceResult open_headless(const SurfaceOptions& options);

}  // namespace lanescope::app
