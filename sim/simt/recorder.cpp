#include "simt/recorder.h"

#include <algorithm>

namespace lanescope {

Recorder::Recorder(Dim3 block, std::uint32_t warps, std::size_t cap_bytes) : left_(cap_bytes) {
  trace_.block = block;
  trace_.warps.resize(warps);
}

bool Recorder::has_room(std::size_t rows) {
  const std::size_t bytes = 12 + rows * sizeof(LaneRow);
  if (trace_.truncated || bytes > left_) {
    trace_.truncated = true;
    return false;
  }
  left_ -= bytes;
  return true;
}

void Recorder::step(std::uint32_t warp, std::uint32_t info, LaneMask mask) {
  if (!has_room(0)) return;
  WarpTrack& track = trace_.warps[warp];
  track.op.push_back(info);
  track.mask.push_back(mask);
  track.rows.push_back(WarpTrack::kNoRows);
}

void Recorder::add_row(const std::uint64_t* values) {
  std::copy_n(values, kLanes, trace_.rows.emplace_back().begin());
}
void Recorder::add_row32(const std::uint32_t* values) {
  std::copy_n(values, kLanes, trace_.rows.emplace_back().begin());
}

void Recorder::access(std::uint32_t warp, const Op& op, LaneMask mask, const std::uint64_t* address,
                      const MemRef& ref, const std::uint32_t* rows, const LaneMask* predicates) {
  if (!has_room(1 + ref.components)) return;
  WarpTrack& track = trace_.warps[warp];
  track.op.push_back(op.info);
  track.mask.push_back(mask);
  track.rows.push_back(static_cast<std::uint32_t>(trace_.rows.size()));
  add_row(address);
  for (std::uint32_t c = 0; c < ref.components; ++c) {
    if (ref.predicate_value) {
      LaneRow& row = trace_.rows.emplace_back();
      for (int lane = 0; lane < kLanes; ++lane)
        row[static_cast<std::size_t>(lane)] = predicates[ref.value[c]] >> lane & 1;
    } else if (ref.component_bytes == 8) {
      add_row(reinterpret_cast<const std::uint64_t*>(rows + std::size_t{ref.value[c]} * kLanes));
    } else {
      add_row32(rows + std::size_t{ref.value[c]} * kLanes);
    }
  }
}

void Recorder::assign(std::uint32_t warp, const Op& op, LaneMask mask, const std::uint32_t* rows,
                      const LaneMask* predicates) {
  if (!has_room(1)) return;
  WarpTrack& track = trace_.warps[warp];
  track.op.push_back(op.info);
  track.mask.push_back(mask);
  track.rows.push_back(static_cast<std::uint32_t>(trace_.rows.size()));
  if (op.aux & kAssignPredicate) {
    LaneRow& row = trace_.rows.emplace_back();
    for (int lane = 0; lane < kLanes; ++lane)
      row[static_cast<std::size_t>(lane)] = predicates[op.a] >> lane & 1;
  } else if (op.aux & kAssignWide) {
    add_row(reinterpret_cast<const std::uint64_t*>(rows + std::size_t{op.a} * kLanes));
  } else {
    add_row32(rows + std::size_t{op.a} * kLanes);
  }
}

}  // namespace lanescope
