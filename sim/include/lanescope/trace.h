// What warps did: recorded by the simulator, outlives the run, read by every view.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/banks.h"
#include "lanescope/lane_rows.h"
#include "lanescope/program.h"
#include "lanescope/sectors.h"
#include "lanescope/types.h"

namespace lanescope {

/// A step is one warp-wide executed operation. Columns of a warp's track, all of one length.
struct WarpTrack {
  static constexpr std::uint32_t kNoRows = 0xffffffffu;
  /// Index in KernelInfo::ops
  std::vector<std::uint32_t> op;
  /// Active mask
  std::vector<LaneMask> mask;
  /// First of this step's rows in BlockTrace::rows, or kNoRows. Access: row 0 holds the lanes'
  /// addresses, rows 1…components the values loaded or stored. Assign: row 0 holds the variable's
  /// new values.
  std::vector<std::uint32_t> rows;

  [[nodiscard]] std::size_t size() const { return op.size(); }
};

/// Everything that one block's warps did, in each warp's own order. Barriers (steps of kind
/// `barrier`) align the warps: the n-th barrier of one is the n-th of all.
struct BlockTrace {
  /// Coordinate in the grid
  Dim3 block;
  std::vector<WarpTrack> warps;
  /// Values of inactive lanes are unspecified
  LaneRows rows;
  /// The size cap was reached; what is here is complete up to there
  bool truncated = false;
};

/// Cost of one access (see AccessInfo), summed over all executed blocks. An access through a
/// generic pointer may have both parts.
struct AccessCounts {
  /// warp-wide, with at least one active lane
  std::uint64_t executions = 0;
  SharedCounts shared;
  GlobalCounts global;
  bool operator==(const AccessCounts&) const = default;
};

/// Linear thread number of a lane: x fastest, then y, then z, as warps are formed
/// (CUDA C++ Programming Guide, "Thread Hierarchy").
Dim3 thread_of(Dim3 block_dim, std::uint32_t warp, int lane);
/// Warps in a block of this shape; the last may have lanes that never exist.
std::uint32_t warps_per_block(Dim3 block_dim);
/// The lanes of a warp that exist.
LaneMask existing_lanes(Dim3 block_dim, std::uint32_t warp);

/// A variable's values in one warp before step `step` has executed: every assignment of earlier
/// steps, merged lane by lane. `known` has a bit for each lane that was assigned.
struct VariableValues {
  LaneRow bits{};
  LaneMask known = 0;
};
std::vector<VariableValues> variables_at(const KernelInfo& kernel, const BlockTrace& trace,
                                         std::uint32_t warp, std::size_t step);

/// Where something happened in a trace.
struct StepRef {
  std::uint32_t warp = 0;
  std::size_t step = 0;
  bool operator==(const StepRef&) const = default;
};

/// The last store to the byte at `address` before (warp, step), by barrier order and then by step,
/// or nullopt. `lane` receives the lane that stored it.
std::optional<StepRef> last_writer(const KernelInfo& kernel, const BlockTrace& trace,
                                   std::uint64_t address, StepRef before, int* lane);

}  // namespace lanescope
