// Timeline: stepping, playing, the active mask, and all warps of the block as tracks aligned at
// barriers.
#pragma once

#include <vector>

#include "platform/texture.h"
#include "views/view_context.h"

namespace lanescope::app {

/// Where each warp's steps lie on one common axis: the stretch between two barriers is as wide as
/// the longest warp's, so that every barrier is one vertical line.
class TrackAxis {
 public:
  TrackAxis() = default;
  TrackAxis(const KernelInfo& kernel, const BlockTrace& trace);
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t position(std::uint32_t warp, std::size_t step) const;
  /// The step of a warp that lies at a position, or its nearest earlier one.
  [[nodiscard]] std::size_t step_at(std::uint32_t warp, std::size_t position) const;

 private:
  struct Stretch {
    std::size_t first_step, begin;  ///< the warp's first step of it; where it begins on the axis
  };
  std::vector<std::vector<Stretch>> warps_;
  std::vector<std::size_t> steps_;
  std::size_t width_ = 0;
};

struct TimelineState {
  bool playing = false;
  int speed = 2;       ///< index of the chosen speed
  double next_at = 0;  ///< ImGui time of the next step
  std::uint64_t serial = 0;
  bool dark = true;
  TrackAxis axis;
  Texture tracks;  ///< a row a warp
};
void draw_timeline(const ViewContext& ctx, TimelineState& state, Actions& actions);

}  // namespace lanescope::app
