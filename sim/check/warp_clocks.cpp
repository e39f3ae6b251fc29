#include "check/warp_clocks.h"

#include <algorithm>
#include <bit>

namespace lanescope {

WarpClocks::WarpClocks(std::uint32_t warps) : warps_(warps), known_(warps), synced_(warps) {}

void WarpClocks::begin_block() {
  if (places_.empty() && !has_met_) return;
  for (Clock& clock : known_) std::fill(clock.begin(), clock.end(), 0);
  places_.clear();
  has_met_ = false;
}

void WarpClocks::barrier() {
  if (places_.empty()) return;
  for (std::uint32_t w = 1; w < warps_; ++w) join(known_[0], known_[w]);
  for (std::uint32_t w = 1; w < warps_; ++w) known_[w] = known_[0];
}

void WarpClocks::meet(std::uint32_t first, std::uint32_t warps, std::uint32_t phase) {
  Clock& all = known_[first];
  for (std::uint32_t w = 1; w < warps; ++w) join(all, known_[first + w]);
  all.resize(std::max(all.size(), std::size_t{first + warps} * kLanes));
  std::fill_n(all.begin() + std::ptrdiff_t{first} * kLanes, warps * kLanes, phase);
  for (std::uint32_t w = 1; w < warps; ++w) known_[first + w] = all;
  has_met_ = true;
}

void WarpClocks::come(std::uint64_t place, std::uint32_t warp, LaneMask lanes,
                      std::uint32_t phase) {
  Clock& open = places_[place].open;
  open.resize(std::max(open.size(), std::size_t{warp + 1} * kLanes));
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    std::uint32_t& done = open[warp * kLanes + static_cast<std::uint32_t>(std::countr_zero(left))];
    done = std::max(done, phase);
  }
}

void WarpClocks::release(std::uint64_t place) {
  Place& at = places_[place];
  for (Clock& clock : known_) join(clock, at.open);
  at.open.clear();
}

bool WarpClocks::knows_any(std::uint32_t warp, std::uint32_t first_thread,
                           std::uint32_t threads) const {
  const Clock& known = known_[warp];
  const std::size_t end = std::min<std::size_t>(first_thread + threads, known.size());
  for (std::size_t i = first_thread; i < end; ++i)
    if (known[i] != 0) return true;
  return false;
}

void WarpClocks::make_room(std::uint32_t warp) {
  if (warp < known_.size()) return;
  known_.resize(warp + 1);
  synced_.resize(warp + 1);
}

void WarpClocks::join(Clock& to, const Clock& from) {
  to.resize(std::max(to.size(), from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

void WarpClocks::arrive(std::uint64_t place, std::uint32_t warp, LaneMask lanes,
                        std::uint32_t phase, bool completes) {
  Place& at = places_[place];
  make_room(warp);
  join(at.open, known_[warp]);
  at.open.resize(std::max(at.open.size(), std::size_t{warp + 1} * kLanes));
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    std::uint32_t& done = at.open[warp * kLanes + lane];
    done = std::max(done, (lanes >> lane & 1) != 0 ? phase : synced_[warp]);
  }
  if (!completes) return;
  join(at.complete, at.open);
  at.open.clear();
}

void WarpClocks::wait(std::uint64_t place, std::uint32_t warp) {
  make_room(warp);
  if (const auto at = places_.find(place); at != places_.end())
    join(known_[warp], at->second.complete);
}

}  // namespace lanescope
