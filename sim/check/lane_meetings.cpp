#include "check/lane_meetings.h"

#include <algorithm>
#include <bit>

namespace lanescope {

void LaneMeetings::Level::meet(std::uint32_t count, LaneMask active, const std::uint32_t* masks) {
  if (some == nullptr) some = std::make_unique<Knowledge>();
  const Knowledge before = *some;
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    std::array<std::uint32_t, kLanes>& known = (*some)[lane];
    for (LaneMask with = masks[lane] & active; with != 0; with &= with - 1) {
      const auto other = static_cast<std::uint32_t>(std::countr_zero(with));
      for (std::uint32_t of = 0; of < kLanes; ++of)
        known[of] = std::max(known[of], before[other][of]);
      known[other] = count;
    }
  }
}

void LaneMeetings::meet(std::uint32_t warp, LaneMask active, bool all, const std::uint32_t* masks,
                        bool orders_memory) {
  Warp& at = warps_[warp];
  ++at.count;
  for (Level* level : {&at.met, orders_memory ? &at.synced : nullptr}) {
    if (level == nullptr) continue;
    if (all)
      level->all = at.count;
    else
      level->meet(at.count, active, masks);
  }
}

LaneMeetings::Order LaneMeetings::order(std::uint32_t warp, std::uint32_t lane, std::uint32_t other,
                                        std::uint32_t count) const {
  const Warp& at = warps_[warp];
  if (at.synced.knows(lane, other, count)) return Order::synced;
  return at.met.knows(lane, other, count) ? Order::met : Order::none;
}

}  // namespace lanescope
