// Which lanes of a warp know what others of it have done: __syncwarp orders the memory accesses of the
// lanes that its mask names (CUDA C++ Programming Guide, "Synchronization Functions"). Votes and shuffles
// let lanes meet, and "do not imply a memory barrier" ("Warp Vote Functions", "Warp Shuffle Functions").
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

class LaneMeetings {
 public:
  enum class Order { none, met, synced };

  explicit LaneMeetings(std::uint32_t warps) : warps_(warps) {}

  [[nodiscard]] std::size_t warps() const { return warps_.size(); }
  /// Meetings of any lanes of the warp so far
  [[nodiscard]] std::uint32_t count(std::uint32_t warp) const { return warps_[warp].count; }
  /// The lanes of `active` meet, each those that its mask names. `all`: they are all that have not ended,
  /// and name all that there have been.
  void meet(std::uint32_t warp, LaneMask active, bool all, const std::uint32_t* masks,
            bool orders_memory);
  /// All lanes of the warp meet, and what they have done is ordered.
  void meet_all(std::uint32_t warp) {
    Warp& at = warps_[warp];
    at.met.all = at.synced.all = ++at.count;
  }
  /// What stands between what `other` did after `count` meetings and what `lane` does now.
  [[nodiscard]] Order order(std::uint32_t warp, std::uint32_t lane, std::uint32_t other,
                            std::uint32_t count) const;

 private:
  /// By lane: meetings before which what each other lane has done is known of
  using Knowledge = std::array<std::array<std::uint32_t, kLanes>, kLanes>;
  struct Level {
    /// The last meeting of all
    std::uint32_t all = 0;
    /// Null until some lanes meet without the others
    std::unique_ptr<Knowledge> some;
    void meet(std::uint32_t count, LaneMask active, const std::uint32_t* masks);
    [[nodiscard]] bool knows(std::uint32_t lane, std::uint32_t other, std::uint32_t count) const {
      return count < all || (some != nullptr && count < (*some)[lane][other]);
    }
  };
  struct Warp {
    std::uint32_t count = 0;
    Level met, synced;
  };
  std::vector<Warp> warps_;
};

}  // namespace lanescope
