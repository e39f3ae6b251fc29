// Bulk copies, and matrices that wgmma reads from shared memory, as the checker sees them. An engine makes the
// copies for a mbarrier, or for the groups of a thread: it knows what the thread knows that asks for a copy,
// and of its copy know those who wait for the mbarrier or the group.
#include <algorithm>

#include "check/checker.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

/// Places of WarpClocks, and keys of engines, by what they are for
std::uint64_t asked(std::uint32_t engine) { return std::uint64_t{2} << 32 | engine; }
std::uint64_t groups_of(std::uint32_t thread) { return std::uint64_t{3} << 32 | thread; }
std::uint64_t group_at(std::uint32_t thread, std::uint32_t group) {
  return std::uint64_t{4} << 60 | std::uint64_t{thread} << 32 | group;
}

std::uint64_t products_of(std::uint32_t warp) { return std::uint64_t{5} << 32 | warp; }
std::uint64_t products_at(std::uint32_t warp, std::uint32_t group) {
  return std::uint64_t{5} << 60 | std::uint64_t{warp} << 32 | group;
}

}  // namespace

std::uint32_t Checker::engine_of(std::uint64_t key) {
  const auto next = static_cast<std::uint32_t>(meetings_.warps() + engines_.size());
  return engines_.try_emplace(key, next).first->second;
}

std::uint32_t Checker::ask(std::uint64_t key, std::uint32_t warp, LaneMask lanes) {
  const std::uint32_t engine = engine_of(key);
  clocks_.arrive(asked(engine), warp, lanes, happens_before_.tick(), true);
  clocks_.wait(asked(engine), engine);
  return engine;
}

RaceKind Checker::unfinished(const TouchedBy& by) const {
  return multipliers_.count(by.warp) != 0 ? RaceKind::product_not_waited_for
                                          : RaceKind::bulk_not_waited_for;
}

void Checker::mark_sums(const Mark& mark, std::uint32_t warp) {
  if (!own_.sums.any()) return;
  own_.sums.mark(mark, warp);
  clocks_.wait(products_at(number(warp), own_.sums.done(warp)), number(warp));
}

void Checker::mark_bulk(const Mark& mark, std::uint32_t thread) {
  const std::uint32_t warp = thread / kLanes;
  if (mark.kind == Mark::Kind::fence_proxy) {
    proxy_fences_[thread] = happens_before_.tick();
    return;
  }
  std::uint32_t& committed = bulk_groups_[thread];
  if (mark.kind == Mark::Kind::bulk_commit) {
    ++committed;
    return;
  }
  // Each group's copies know of those before them.
  if (committed > mark.count) clocks_.wait(group_at(thread, committed - mark.count - 1), warp);
}

void Checker::bulk(const WarpState& warp, const Op& op, const BulkMove& move) {
  const HappensBefore::Now at = now(warp, move.lane);
  const bool counted = move.mbarrier != kNone;
  const LaneMask lane = 1u << move.lane;
  const std::size_t rank = move.rank == kNone ? rank_ : move.rank;
  const std::uint64_t mbarrier = place_of(rank, move.mbarrier);
  const std::uint32_t engine =
      ask(counted ? mbarrier : groups_of(at.thread), number(warp.index), lane);
  const TouchedBy by{
      own_.index, engine,          number(warp.index), own_.epoch,    0, happens_before_.phase(),
      op.info,    Strength::plain, !move.to_shared,    move.to_shared};
  const bool is_there = rank == rank_ || move.pieces.empty() ||
                        reaches(rank, touches_.number(by) + static_cast<Touch>(move.lane),
                                address_of(rank, move.pieces.front().shared));
  for (const BulkPiece& piece : move.pieces)
    if (is_there) bulk_piece(piece, move, rank, op, by);
  clocks_.arrive(counted ? mbarrier : group_at(at.thread, bulk_groups_[at.thread]), engine, lane,
                 happens_before_.tick(), counted ? move.completes : true);
}

void Checker::bulk_piece(const BulkPiece& piece, const BulkMove& move, std::size_t rank,
                         const Op& op, const TouchedBy& by) {
  const Touch touch = touches_.number(by) + static_cast<Touch>(move.lane);
  const std::uint64_t end = (std::uint64_t{piece.shared} + piece.bytes + granule_ - 1) / granule_;
  for (std::uint64_t at = piece.shared / granule_; at < end && at < cells_; ++at) {
    const std::size_t number = rank * cells_ + at;
    Cell& cell = shared_[number];
    const std::uint64_t address = address_of(rank, at * granule_);
    judge_engine(by, move.lane, op, address, cell.writer);
    if (!move.reduces || !move.to_shared) judge_engine(by, move.lane, op, address, cell.atomic);
    if (move.to_shared) {
      judge_engine(by, move.lane, op, address, cell.reader);
      judge_engine(by, move.lane, op, address, cell.other_reader);
      if (is_in_cluster()) judge_engine(by, move.lane, op, address, foreign_readers_[number]);
      if (move.reduces)
        cell.atomic = touch;
      else
        cell.writer = touch, cell.atomic = 0;
      shared_written_[number] = of(rank).index;
    } else {
      judge_proxy(by, move.lane, op, address, cell.writer);
      cell.reader = touch;
    }
  }
  if (piece.global == 0) return;
  if (move.to_shared && piece.global - kSharedWindow < cells_ * granule_)
    bulk_source(piece, move, op, by);
  for (GlobalShadow& shadow : global_) {
    if (piece.global - shadow.base >= shadow.bytes || !shadow.cells || move.to_shared) continue;
    const std::uint64_t from = (piece.global - shadow.base) / global_granule_;
    for (std::uint64_t i = 0; i * global_granule_ < piece.bytes; ++i)
      (move.reduces ? shadow.cells[from + i].atomic : shadow.cells[from + i].writer) = touch;
  }
}

/// Of a copy from the block's own shared memory to another's
void Checker::bulk_source(const BulkPiece& piece, const BulkMove& move, const Op& op,
                          const TouchedBy& by) {
  TouchedBy reads = by;
  reads.reads = true, reads.writes = false;
  const Touch touch = touches_.number(reads) + static_cast<Touch>(move.lane);
  const std::uint64_t from = piece.global - kSharedWindow,
                      end = std::min((from + piece.bytes + granule_ - 1) / granule_, cells_);
  for (std::uint64_t at = from / granule_; at < end; ++at) {
    Cell& cell = shared_[rank_ * cells_ + at];
    const std::uint64_t address = address_of(rank_, at * granule_);
    judge_engine(reads, move.lane, op, address, cell.writer);
    judge_engine(reads, move.lane, op, address, cell.atomic);
    judge_proxy(reads, move.lane, op, address, cell.writer);
    cell.reader = touch;
  }
}

/// What an engine touches stands in no order to what a thread, or another copy, did there before.
void Checker::judge_engine(const TouchedBy& by, int lane, const Op& op, std::uint64_t address,
                           Touch before) {
  const TouchedBy& other = touches_[before];
  const bool same_block = other.block == own_.index;
  if (before == 0 || !(same_block || is_of_cluster(before)) || settled_[op.info]) return;
  if (!other.writes && !by.writes) return;
  const bool by_engine = other.warp != other.issuer;
  if (!by_engine && same_block && other.epoch != own_.epoch) return;
  if (clocks_.knows(by.warp, touches_.thread(before), other.phase)) return;
  add_engine_race(by_engine ? unfinished(other) : RaceKind::unordered, by, lane, op, address,
                  before);
}

Finding Checker::of_engine(const TouchedBy& by, int lane, const Op& op,
                           std::uint64_t address) const {
  Finding f;
  f.kind = DiagnosticKind::race;
  f.info = op.info;
  f.block = own_.block;
  f.thread = thread_of(launch_.block, by.issuer % warps_, lane);
  f.address = address;
  f.bytes = granule_;
  f.is_store = by.writes;
  return f;
}

void Checker::add_engine_race(RaceKind kind, const TouchedBy& by, int lane, const Op& op,
                              std::uint64_t address, Touch before) {
  const TouchedBy& other = touches_[before];
  Finding f = of_engine(by, lane, op, address);
  f.other_info = other.info;
  f.other_block = block_of(before);
  f.other_thread = thread_in_block(before);
  f.other_is_store = other.writes;
  settled_[op.info] = true;
  add_race(kind, f);
}

/// Threads write by another way than engines read: a fence is needed between the two, of the thread that wrote
/// or of the one that asks (PTX ISA, "Proxies").
void Checker::judge_proxy(const TouchedBy& by, int lane, const Op& op, std::uint64_t address,
                          Touch writer) {
  const TouchedBy& other = touches_[writer];
  if (writer == 0 || other.block != own_.index || other.warp != other.issuer || settled_[op.info])
    return;
  for (const std::uint32_t thread :
       {touches_.thread(writer), by.issuer * kLanes + static_cast<std::uint32_t>(lane)})
    if (const auto fence = proxy_fences_.find(thread);
        fence != proxy_fences_.end() && fence->second >= other.phase)
      return;
  add_engine_race(RaceKind::no_proxy_fence, by, lane, op, address, writer);
}

void Checker::follow_sums(const Machine& machine, const WarpState& warp, const Op& op) {
  if (!own_.sums.operation(machine, warp, op) ||
      !is_new(DiagnosticKind::race, MemorySpace::generic, op.info))
    return;
  Finding& f = add(DiagnosticKind::race, MemorySpace::generic, warp, op, 0, 0, {});
  f.message = say::sums_not_waited_for;
  f.hint = say::wait_for_the_group;
}

void Checker::group_reads(const Machine& machine, const WarpState& warp, const Op& op,
                          const std::vector<BulkPiece>& pieces) {
  MemRef ref;
  std::uint64_t address[kLanes] = {};
  const std::uint32_t own = number(warp.index);
  const std::uint32_t engine = ask(products_of(own), own, kAllLanes);
  multipliers_.insert(engine);
  const TouchedBy by{own_.index, engine,          own,  own_.epoch, 0, happens_before_.phase(),
                     op.info,    Strength::plain, true, false};
  const Access access{machine, warp, op,    ref, machine.regions[0],  address,
                      1,       true, false, by,  touches_.number(by), rank_};
  if (access.touch == 0) return;
  for (const BulkPiece& piece : pieces)
    for (std::uint64_t at = piece.shared / granule_; at * granule_ < piece.shared + piece.bytes;
         ++at) {
      const std::size_t number = rank_ * cells_ + at;
      Cell& cell = shared_[number];
      address[0] = kSharedWindow + at * granule_;
      if (shared_written_[number] != own_.index &&
          is_new(DiagnosticKind::uninitialised, MemorySpace::shared, op.info))
        add(DiagnosticKind::uninitialised, MemorySpace::shared, warp, op, 0, address[0], ref);
      judge_all(access, {0, address[0], address[0], granule_}, cell, 0);
      judge_proxy(by, 0, op, address[0], cell.writer);
      note(access, 0, cell, touches_);
    }
  clocks_.arrive(products_at(own, own_.sums.open(warp.index)), engine, 1, happens_before_.tick(),
                 true);
}

}  // namespace lanescope
