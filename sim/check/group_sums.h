// Accumulators of wgmma, which are there when their warp has waited for the group that the product was committed in
// (PTX ISA, "wgmma.wait_group"): who uses them before reads or spoils what is still being added up.
#pragma once

#include <unordered_map>
#include <vector>

#include "machine/machine.h"

namespace lanescope {

class GroupSums {
 public:
  void begin_block();
  [[nodiscard]] bool any() const { return any_; }
  /// The group that the warp's next product joins, from 1 on, and the last that it has waited for
  [[nodiscard]] std::uint32_t open(std::uint32_t warp) { return warps_[warp].open; }
  [[nodiscard]] std::uint32_t done(std::uint32_t warp) { return warps_[warp].done; }
  /// The warp's products so far become a group, or are waited for but for the newest groups.
  void mark(const Mark& mark, std::uint32_t warp);
  /// The warp comes to an operation. True if it uses accumulators that nobody has waited for, otherwise than to add
  /// more to them.
  bool operation(const Machine& machine, const WarpState& warp, const Op& op);

 private:
  struct Warp {
    /// The group that products join, from 1 on; those up to `done` are waited for
    std::uint32_t open = 1, done = 0;
    /// By row: the group of the product that adds to it
    std::unordered_map<std::uint32_t, std::uint32_t> groups;
  };

  bool any_ = false;
  std::unordered_map<std::uint32_t, Warp> warps_;
};

}  // namespace lanescope
