#include "core/journey/replay.h"

#include <bit>

#include "core/journey/stored_value.h"

namespace lanescope::app {

JourneyReplay::JourneyReplay(const Journey& journey) : journey_(journey) { restart(); }

void JourneyReplay::restart() {
  done_ = 0;
  barriers_ = 0;
  cells_.assign(journey_.cell_ids_.size(), {});
  registers_.assign(std::size_t{journey_.warps()} * kLanes, {});
  moved_.assign(journey_.warps(), 0);
}

void JourneyReplay::seek(std::size_t done) {
  done = std::min(done, journey_.moves().size());
  if (done < done_) restart();
  while (done_ < done) advance(done_++);
}

void JourneyReplay::advance(std::size_t index) {
  const JourneyMove& move = journey_.moves()[index];
  if (move.leg == Leg::barrier) {
    ++barriers_;
    for (std::uint32_t& moved : moved_) ++moved;
    return;
  }
  ++moved_[move.warp];
  const auto at = static_cast<std::uint32_t>(index);
  const auto& sources = journey_.sources_[static_cast<std::size_t>(move.access)];
  for (LaneMask rest = move.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto tokens = journey_.tokens(index, lane);
    Register& held = registers_[std::size_t{move.warp} * kLanes + static_cast<std::size_t>(lane)];
    if (!is_store(move.leg)) {
      held = {{tokens.front(), at}, move.access};
      continue;
    }
    if (!move.part && may_store_of(sources, held.access)) held = {};
    const std::uint32_t* cell = journey_.cells_.data() + (tokens.data() - journey_.tokens_.data());
    for (std::size_t k = 0; k < tokens.size(); ++k) cells_[cell[k]] = {tokens[k], at};
  }
}

Held JourneyReplay::cell(std::uint64_t address) const {
  const auto found = journey_.cell_ids_.find(address / journey_.unit());
  return found == journey_.cell_ids_.end() ? Held{} : cells_[found->second];
}

Held JourneyReplay::lane(std::uint32_t warp, int lane) const {
  const std::size_t at = std::size_t{warp} * kLanes + static_cast<std::size_t>(lane);
  return at < registers_.size() ? registers_[at].held : Held{};
}

bool JourneyReplay::waits(std::uint32_t warp) const {
  if (warp >= moved_.size()) return false;
  const auto& moves = journey_.of_warp_[warp];
  const std::uint32_t next = moved_[warp];
  return next < moves.size() && journey_.moves()[moves[next]].leg == Leg::barrier;
}

}  // namespace lanescope::app
