#include "check/warp_clocks.h"

#include <algorithm>
#include <bit>

namespace lanescope {

WarpClocks::WarpClocks(std::uint32_t warps) : warps_(warps), known_(warps), synced_(warps) {}

void WarpClocks::begin_block() {
  if (places_.empty()) return;
  for (Clock& clock : known_) std::fill(clock.begin(), clock.end(), 0);
  places_.clear();
}

void WarpClocks::barrier() {
  if (places_.empty()) return;
  for (std::uint32_t w = 1; w < warps_; ++w) join(known_[0], known_[w]);
  for (std::uint32_t w = 1; w < warps_; ++w) known_[w] = known_[0];
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
