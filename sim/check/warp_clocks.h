// What orders accesses of a block's warps beyond its barrier: phases of mbarriers, and barriers of a part of
// the warps. Who arrives gives on what it has done and knows of; who waits learns it (PTX ISA, "mbarrier":
// arrive has release and wait acquire semantics at the scope of the block).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

/// Numbers from the block's warps on are those of engines that copy for them.
class WarpClocks {
 public:
  /// `warps`: of the block
  explicit WarpClocks(std::uint32_t warps);

  void begin_block();
  /// All warps of the block have met: what one knows, all know.
  void barrier();
  /// So many warps of one block of a cluster have met: what they have done until this phase, all know.
  void meet(std::uint32_t first, std::uint32_t warps, std::uint32_t phase);
  /// The warp's lanes have met: what one has done until this phase, all give on.
  void warp_sync(std::uint32_t warp, std::uint32_t phase) { synced_[warp] = phase; }
  /// Lanes of a warp arrive at what `place` is (an mbarrier's offset, a barrier's number), which may thereby be
  /// complete. `phase`: of the accesses so far.
  void arrive(std::uint64_t place, std::uint32_t warp, LaneMask lanes, std::uint32_t phase,
              bool completes);
  /// Lanes arrive that give nothing on but that they have come to the phase.
  void come(std::uint64_t place, std::uint32_t warp, LaneMask lanes, std::uint32_t phase);
  /// All have arrived at the place and wait for it no longer.
  void release(std::uint64_t place);
  /// The warp has waited for what was complete last at the place.
  void wait(std::uint64_t place, std::uint32_t warp);
  /// Whether the warp knows of what a thread did in the phase.
  [[nodiscard]] bool knows_any(std::uint32_t warp, std::uint32_t first_thread,
                               std::uint32_t threads) const;
  [[nodiscard]] bool knows(std::uint32_t warp, std::uint32_t thread, std::uint32_t phase) const {
    return warp < known_.size() && thread < known_[warp].size() && phase <= known_[warp][thread];
  }

 private:
  /// By thread: the last phase that is known of
  using Clock = std::vector<std::uint32_t>;
  struct Place {
    Clock open, complete;
  };
  static void join(Clock& to, const Clock& from);

  void make_room(std::uint32_t warp);

  std::uint32_t warps_;
  /// Warps know of one another, if of no place
  bool has_met_ = false;
  std::vector<Clock> known_;
  std::vector<std::uint32_t> synced_;
  std::unordered_map<std::uint64_t, Place> places_;
};

}  // namespace lanescope
