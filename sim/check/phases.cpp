// What the checker is told of mbarriers, of barriers for a part of the block, and of clusters: their blocks run in
// turn, and what one knows of another it knows by these.
#include <bit>
#include <cstring>
#include <utility>

#include "check/checker.h"
#include "machine/grid_index.h"
#include "machine/mbarrier.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

/// Numbered barriers stand behind all of shared memory.
constexpr std::uint64_t kParts = std::uint64_t{1} << 32;
/// That of the cluster
constexpr std::uint64_t kCluster = std::uint64_t{6} << 60;

}  // namespace

void Checker::meets_part(std::uint32_t warp, std::uint32_t id, bool is_met) {
  meet_warp(number(warp));
  clocks_.arrive(place_of(rank_, kParts | id), number(warp), kAllLanes, happens_before_.tick(),
                 is_met);
}

void Checker::met_part(std::uint32_t warp, std::uint32_t id) {
  clocks_.wait(place_of(rank_, kParts | id), number(warp));
}

void Checker::waited_for(std::uint32_t warp, const Awaited& awaited) {
  for (LaneMask left = awaited.lanes; left != 0; left &= left - 1)
    clocks_.wait(place_of(rank_, awaited.offset[static_cast<std::size_t>(std::countr_zero(left))]),
                 number(warp));
}

/// One lane after the other, as they change the word.
void Checker::change_mbarriers(const Access& access) {
  const auto* changes = reinterpret_cast<const std::uint64_t*>(
      access.machine.rows + std::size_t{access.ref.operand} * kLanes);
  std::unordered_map<std::uint64_t, std::uint64_t> words;
  for (LaneMask left = access.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t offset = access.address[lane] - access.region.base;
    const auto [at, is_first] = words.try_emplace(offset);
    if (is_first) std::memcpy(&at->second, access.region.data + offset, sizeof at->second);
    std::uint64_t& word = at->second;
    const std::uint32_t arrivals = mbarrier::pending(changes[lane]);
    if (mbarrier::is_valid(word) && arrivals > mbarrier::pending(word) &&
        is_new(DiagnosticKind::overflow, MemorySpace::shared, access.op.info)) {
      Finding& f = add(DiagnosticKind::overflow, MemorySpace::shared, access.warp, access.op, lane,
                       access.address[lane], access.ref);
      f.message = say::mbarrier_too_often(arrivals, mbarrier::pending(word));
      f.hint = say::init_with_all;
    }
    const std::uint64_t next = mbarrier::changed(word, changes[lane]);
    clocks_.arrive(place_of(access.rank, offset), access.by.warp, 1u << lane,
                   happens_before_.phase(), mbarrier::is_next_phase(word, next));
    word = next;
  }
  happens_before_.tick();
}

// ---- clusters ----

void Checker::begin_cluster(const std::vector<Dim3>& blocks) {
  for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
    enter(rank);
    const std::uint64_t index = index_of(blocks[rank], launch_.grid);
    if (rank == 0)
      begin_block(blocks[rank], index);
    else
      begin_own(blocks[rank], index);
  }
  std::fill(arrived_.begin(), arrived_.end(), 0);
  is_split_ = false;
  fences_.clear();
  begun_ = happens_before_.tick();
}

void Checker::enter(std::size_t rank) {
  std::swap(own_, others_[rank_]);
  std::swap(own_, others_[rank]);
  rank_ = rank;
  happens_before_.enter(rank);
}

/// `waits`: at once
void Checker::cluster_arrival(std::uint32_t warp, LaneMask lanes, bool is_relaxed, bool waits) {
  if (!is_in_cluster()) return;
  const std::uint32_t own = number(warp);
  arrived_[own] |= lanes;
  is_split_ = is_split_ || is_relaxed || !waits;
  if (!is_relaxed) return clocks_.arrive(kCluster, own, lanes, happens_before_.tick(), false);
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const auto fence = fences_.find(own * kLanes + lane);
    clocks_.come(kCluster, own, 1u << lane, fence != fences_.end() ? fence->second : begun_);
  }
}

/// What came before it is given on by arriving, too, that gives nothing on by itself.
void Checker::fence(const HappensBefore::Now& at, bool device) {
  if (is_in_cluster()) fences_[at.thread] = happens_before_.phase();
  happens_before_.fence(at, device);
}

void Checker::cluster_met() {
  // Who has not arrived has ended, and is not waited for.
  for (std::uint32_t warp = 0; warp < arrived_.size(); ++warp)
    clocks_.come(kCluster, warp, ~arrived_[warp], happens_before_.phase());
  happens_before_.tick();
  clocks_.release(kCluster);
  for (std::size_t rank = 0; rank < others_.size() && !is_split_; ++rank) {
    enter(rank);
    next_epoch();
  }
  happens_before_.cluster_barrier();
  std::fill(arrived_.begin(), arrived_.end(), 0);
  is_split_ = false;
}

/// A block's shared memory is there from when it has begun until it ends (CUDA C++ Programming Guide, "Distributed
/// Shared Memory"); that of the others begins with what they are known to have done.
bool Checker::reaches(std::size_t rank, Touch touch, std::uint64_t address) {
  OfBlock& owner = of(rank);
  const TouchedBy& by = touches_[touch];
  const std::uint32_t threads = warps_ * kLanes;
  const HappensBefore::Now at{own_.index, by.issuer * kLanes + touch % kLanes, own_.epoch, 0};
  const bool has_begun =
      clocks_.knows_any(by.issuer, static_cast<std::uint32_t>(rank) * threads, threads) ||
      happens_before_.knows_of(at, owner.index);
  if (!owner.has_ended && has_begun) {
    owner.reached[touches_.thread(touch)] = {touch, address};
    return true;
  }
  add_unheld(owner.has_ended ? RaceKind::owner_ended : RaceKind::owner_not_begun, touch, address);
  return false;
}

void Checker::add_unheld(RaceKind kind, Touch touch, std::uint64_t address) {
  const TouchedBy& by = touches_[touch];
  Finding f;
  f.kind = DiagnosticKind::race;
  f.info = f.other_info = by.info;
  f.block = block_of(touch);
  f.thread = thread_in_block(touch);
  f.address = address;
  f.is_store = by.writes && !by.reads;
  f.is_atomic = by.writes && by.reads;
  add_race(kind, f);
}

/// Whether some thread of the block that runs comes after it.
bool Checker::knows_block(Touch touch) const {
  const TouchedBy& by = touches_[touch];
  for (std::uint32_t warp = 0; warp < warps_; ++warp)
    if (clocks_.knows(number(warp), touches_.thread(touch), by.phase)) return true;
  return happens_before_.block_knows(by, touch % kLanes, own_.index);
}

void Checker::block_ended() {
  own_.has_ended = true;
  for (const auto& [thread, last] : own_.reached)
    if (!knows_block(last.first)) add_unheld(RaceKind::owner_ended, last.first, last.second);
}

}  // namespace lanescope
