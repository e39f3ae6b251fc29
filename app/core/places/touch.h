// Everything that the inspected block touches, lane by lane.
#pragma once

#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "lanescope/trace.h"

namespace lanescope::app {

/// Calls visit(const ChainLink&) for each lane of each recorded access, warp after warp, in the order
/// of their steps. The picture has a trace.
template <class Visit>
void for_each_touch(const Picture& picture, Visit visit) {
  const BlockTrace& trace = *picture.trace();
  for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
    const WarpTrack& track = trace.warps[warp];
    for (std::size_t step = 0; step < track.size(); ++step) {
      const int access = picture.kernel().ops[track.op[step]].access;
      const std::uint32_t row = track.rows[step];
      if (access < 0 || row >= trace.rows.size()) continue;
      const std::uint32_t bytes = picture.kernel().accesses[static_cast<std::size_t>(access)].bytes;
      const LaneRow address = trace.rows[row];
      for (int lane = 0; lane < kLanes; ++lane) {
        if (track.mask[step] >> lane & 1u)
          visit(ChainLink{
              access, warp, step, lane, {address[static_cast<std::size_t>(lane)], bytes}});
      }
    }
  }
}

}  // namespace lanescope::app
