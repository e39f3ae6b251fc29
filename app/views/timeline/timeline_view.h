// Timeline: stepping, playing, the active mask, and all warps of the block as tracks aligned at
// barriers.
#pragma once

#include "platform/texture.h"
#include "views/draw/view_context.h"
#include "views/timeline/track_axis.h"

namespace lanescope::app {

struct TimelineState {
  bool playing = false;
  /// Index of the chosen speed
  int speed = 2;
  /// ImGui time of the next step
  double next_at = 0;
  std::uint64_t serial = 0;
  bool dark = true;
  TrackAxis axis;
  /// A row a warp
  Texture tracks;

  void restyle() { serial = 0; }
};
/// Draws the buttons, the mask of the current step, the tracks. Reads the trace and the focus; asks
/// for MoveStep, SelectStep and SelectWarp, a MoveStep a tick while it plays.
void draw_timeline(const ViewContext& ctx, TimelineState& state, Actions& actions);

/// Its lower part: a track a warp, in the space that is left; pressing it selects warp and step.
void draw_tracks(const ViewContext& ctx, TimelineState& state, Actions& actions);

}  // namespace lanescope::app
