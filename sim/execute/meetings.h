// Where warps of a block wait that do not meet all the others: barriers of some of its warps, and the
// phases of mbarriers.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "execute/executor.h"

namespace lanescope {

class Meetings {
 public:
  void begin_block();
  /// All warps of the block have met.
  void all_met() { told_ = 0; }
  /// The warp has come to a barrier of a part of the block, which it may thereby complete.
  void arrive(Machine& machine, WarpState& warp, std::vector<WarpState>& warps);
  /// Whether what the warp waits for has come about since; then it waits no longer.
  bool is_over(Machine& machine, WarpState& warp);
  /// No warp goes on by itself. Those at mbarriers may be told so, and go on without: true. What they wait for
  /// may yet come about by themselves, so that only who is told again and again waits for ever: false, and
  /// Machine::fault is of the first of `warps` that waits here.
  bool tell(Machine& machine, std::vector<WarpState>& warps);
  /// Makes Machine::fault that of the first of `warps` that waits here.
  void blame(Machine& machine, const std::vector<WarpState>& warps);

 private:
  std::uint32_t& arrived(std::uint32_t id);

  /// Threads that have come so far: at numbered barriers, and of warpgroups
  std::array<std::uint32_t, 16 + 8> arrived_{};
  /// Since a warp has gone on last that waited
  std::uint32_t told_ = 0;
};

/// Where the mbarrier at `address` lies in shared memory; nothing, and Machine::fault of the lane, where none can.
std::optional<std::uint32_t> mbarrier_offset(Machine& machine, const Op& op, int lane,
                                             std::uint64_t address, bool is_store);

/// The warp that stopped at `pc` with the lanes of `mask`: Awaited of what it stopped at, or Stop::fault.
Stop begin_meeting(Machine& machine, WarpState& warp, std::uint32_t pc, LaneMask mask);

}  // namespace lanescope
