// Everything that the inspected block touches, lane by lane.
#pragma once

#include "core/journey/copies.h"
#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "lanescope/memory.h"
#include "lanescope/trace.h"

namespace lanescope::app {

/// Calls visit(const ChainLink&) for each lane of each recorded access, warp after warp, in the order
/// of their steps; for each 16 bytes of a bulk copy twice, where it reads and where it writes. The picture has a trace.
template <class Visit>
void for_each_touch(const Picture& picture, Visit visit) {
  const BlockTrace& trace = *picture.trace();
  for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
    const WarpTrack& track = trace.warps[warp];
    for (std::size_t step = 0; step < track.size(); ++step) {
      const int access = picture.kernel().ops[track.op[step]].access;
      const std::uint32_t row = track.rows[step];
      if (access < 0 || row >= trace.rows.size()) continue;
      const AccessInfo& info = picture.kernel().accesses[static_cast<std::size_t>(access)];
      if (is_of_engine(info.op)) {
        for (const BulkStep& copy : copies_at(picture.kernel(), trace, warp, step))
          for (const BulkChunk& chunk : bulk_chunks(copy)) {
            visit(ChainLink{access, warp, step, copy.lane, {kSharedWindow + chunk.shared, 16}});
            if (chunk.global != 0)
              visit(ChainLink{access, warp, step, copy.lane, {chunk.global, 16}});
          }
        continue;
      }
      const LaneRow address = trace.rows[row];
      for (int lane = 0; lane < kLanes; ++lane) {
        if (track.mask[step] >> lane & 1u)
          visit(ChainLink{
              access, warp, step, lane, {address[static_cast<std::size_t>(lane)], info.bytes}});
      }
    }
  }
}

}  // namespace lanescope::app
