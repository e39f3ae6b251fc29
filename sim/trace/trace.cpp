// Questions about what was recorded: who is a lane, what did a variable hold, who stored a byte.
#include "lanescope/trace.h"

#include <bit>
#include <tuple>

namespace lanescope {
namespace {

bool writes(AccessOp op) { return op != AccessOp::load; }

/// The highest lane of a recorded store that covers the byte, or -1. When lanes collide the
/// hardware lets an unspecified one win; the highest stands for it.
int storing_lane(const LaneRow& address, LaneMask mask, std::uint32_t bytes, std::uint64_t byte) {
  for (LaneMask rest = mask; rest != 0;) {
    const int lane = std::bit_width(rest) - 1;
    if (byte - address[static_cast<std::size_t>(lane)] < bytes) return lane;
    rest &= ~(1u << lane);
  }
  return -1;
}

/// Barriers a warp has passed before a step.
std::size_t barriers_before(const KernelInfo& kernel, const WarpTrack& track, std::size_t step) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < step && i < track.size(); ++i)
    count += kernel.ops[track.op[i]].kind == StepKind::barrier;
  return count;
}

/// Where in the block's order a step stands: barriers first, then the warp's own steps.
using Moment = std::tuple<std::size_t, std::size_t>;

struct Search {
  const KernelInfo& kernel;
  const BlockTrace& trace;
  std::uint64_t address;
  Moment before;

  std::optional<StepRef> found;
  Moment latest{};
  int lane = -1;

  void look_through(std::uint32_t warp) {
    const WarpTrack& track = trace.warps[warp];
    std::size_t phase = 0;
    for (std::size_t step = 0; step < track.size() && Moment{phase, step} < before; ++step) {
      const OpInfo& op = kernel.ops[track.op[step]];
      if (op.kind == StepKind::barrier) ++phase;
      if (op.kind != StepKind::access || op.access < 0 || track.rows[step] == WarpTrack::kNoRows)
        continue;
      const AccessInfo& access = kernel.accesses[static_cast<std::size_t>(op.access)];
      if (!writes(access.op) || (found && Moment{phase, step} < latest)) continue;
      const int hit =
          storing_lane(trace.rows[track.rows[step]], track.mask[step], access.bytes, address);
      if (hit < 0) continue;
      found = StepRef{warp, step};
      latest = {phase, step};
      lane = hit;
    }
  }
};

}  // namespace

Dim3 thread_of(Dim3 block_dim, std::uint32_t warp, int lane) {
  const std::uint32_t linear = warp * kLanes + static_cast<std::uint32_t>(lane);
  const std::uint32_t plane = block_dim.x * block_dim.y;
  return {linear % block_dim.x, linear / block_dim.x % block_dim.y, linear / plane};
}

std::uint32_t warps_per_block(Dim3 block_dim) {
  return static_cast<std::uint32_t>((block_dim.count() + kLanes - 1) / kLanes);
}

LaneMask existing_lanes(Dim3 block_dim, std::uint32_t warp) {
  const std::uint64_t first = std::uint64_t{warp} * kLanes, threads = block_dim.count();
  if (threads <= first) return 0;
  const std::uint64_t lanes = threads - first;
  return lanes >= kLanes ? kAllLanes : (LaneMask{1} << lanes) - 1;
}

std::vector<VariableValues> variables_at(const KernelInfo& kernel, const BlockTrace& trace,
                                         std::uint32_t warp, std::size_t step) {
  std::vector<VariableValues> values(kernel.variables.size());
  if (warp >= trace.warps.size()) return values;
  const WarpTrack& track = trace.warps[warp];
  for (std::size_t i = 0; i < step && i < track.size(); ++i) {
    const OpInfo& op = kernel.ops[track.op[i]];
    if (op.kind != StepKind::assign || op.variable < 0 || track.rows[i] == WarpTrack::kNoRows)
      continue;
    VariableValues& value = values[static_cast<std::size_t>(op.variable)];
    const LaneRow row = trace.rows[track.rows[i]];
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      if (track.mask[i] >> lane & 1) value.bits[lane] = row[lane];
    value.known |= track.mask[i];
  }
  return values;
}

std::optional<StepRef> last_writer(const KernelInfo& kernel, const BlockTrace& trace,
                                   std::uint64_t address, StepRef before, int* lane) {
  if (before.warp >= trace.warps.size()) return std::nullopt;
  const std::size_t phase = barriers_before(kernel, trace.warps[before.warp], before.step);
  Search search{kernel, trace, address, {phase, before.step}, {}, {}, -1};
  for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) search.look_through(warp);
  if (search.found && lane != nullptr) *lane = search.lane;
  return search.found;
}

}  // namespace lanescope
