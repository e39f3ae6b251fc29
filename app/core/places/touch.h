// Everything that the inspected block touches, lane by lane.
#pragma once

#include <vector>

#include "core/journey/copies.h"
#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "lanescope/memory.h"
#include "lanescope/trace.h"

namespace lanescope::app {

/// Calls visit(const ChainLink&) for each lane of a step that is a recorded access; for each 16 bytes of a
/// bulk copy twice, where it reads and where it writes.
template <class Visit>
void for_each_touch_of(const Picture& picture, std::uint32_t warp, std::size_t step, Visit visit) {
  const BlockTrace& trace = *picture.trace();
  const WarpTrack& track = trace.warps[warp];
  const int access = picture.kernel().ops[track.op[step]].access;
  const std::uint32_t row = track.rows[step];
  if (access < 0 || row >= trace.rows.size()) return;
  const AccessInfo& info = picture.kernel().accesses[static_cast<std::size_t>(access)];
  if (is_of_engine(info.op)) {
    for (const BulkStep& copy : copies_at(picture.kernel(), trace, warp, step))
      for (const BulkChunk& chunk : bulk_chunks(copy)) {
        visit(ChainLink{access, warp, step, copy.lane, {kSharedWindow + chunk.shared, 16}});
        if (chunk.global != 0) visit(ChainLink{access, warp, step, copy.lane, {chunk.global, 16}});
      }
    return;
  }
  const LaneRow address = trace.rows[row];
  for (int lane = 0; lane < kLanes; ++lane) {
    if (track.mask[step] >> lane & 1u)
      visit(ChainLink{
          access, warp, step, lane, {address[static_cast<std::size_t>(lane)], info.bytes}});
  }
}

/// The same for all steps, warp after warp, in their order. The picture has a trace.
template <class Visit>
void for_each_touch(const Picture& picture, Visit visit) {
  const BlockTrace& trace = *picture.trace();
  for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp)
    for (std::size_t step = 0; step < trace.warps[warp].size(); ++step)
      for_each_touch_of(picture, warp, step, visit);
}

/// The steps that are recorded accesses, in that order; of those whose lanes touch the same cells by the same
/// access, as a loop over a tile does in every round, the first. The picture has a trace.
std::vector<StepRef> different_touches(const Picture& picture);

}  // namespace lanescope::app
