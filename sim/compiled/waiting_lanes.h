// Lanes that part wait for one another, and what they have must not change meanwhile.
//
// The interpreter copies into a phi's row, and loads, in the active lanes alone; everything else it
// computes in all lanes, since what waits is then computed again from what it was. Where no lane that
// waits needs a phi's row, directly or computed from it, the copy may be made in all lanes: a loop's
// counter stays one number.
#pragma once

#include <vector>

#include "lower/flat.h"

namespace lanescope {

class WaitingLanes {
 public:
  explicit WaitingLanes(const FlatCode& code);

  /// The lanes may part at this branch.
  void part(std::uint32_t pc);
  /// A masked copy that has to be one: lanes of different pasts come together in its row, or some that
  /// wait need it. A load or warp operation whose result such lanes need.
  [[nodiscard]] bool keeps_others(std::uint32_t pc) const { return kept_[pc]; }
  /// Lanes may wait there for others.
  [[nodiscard]] bool is_meeting(std::uint32_t pc) const { return meetings_[pc]; }

 private:
  using Bits = std::vector<std::uint64_t>;

  void find_live();
  void step_back(std::uint32_t block, Bits& live) const;
  [[nodiscard]] std::vector<bool> reach(std::uint32_t pc, std::uint32_t meet) const;
  void keep_copies_into(std::uint32_t block);
  void keep_live(std::uint32_t waits_at, const std::vector<bool>& region);
  [[nodiscard]] std::uint32_t block_at(std::uint32_t pc) const { return code_.block_of[pc]; }
  [[nodiscard]] const Op& last_of(std::uint32_t block) const {
    return code_.ops[code_.blocks[block].first + code_.blocks[block].count - 1];
  }

  const FlatCode& code_;
  /// By block: what is live where it begins
  std::vector<Bits> live_;
  /// By number: where it is written, and in which block
  struct Definition {
    std::uint32_t pc, block;
  };
  std::vector<std::vector<Definition>> definitions_;
  std::vector<bool> kept_, meetings_;
};

}  // namespace lanescope
