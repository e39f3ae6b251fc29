// Races: whether what orders two accesses of a granule, and what is wrong when nothing does.
#include <algorithm>
#include <bit>
#include <cstring>

#include "check/checker.h"
#include "lanescope/trace.h"
#include "machine/grid_index.h"

namespace lanescope {
namespace {

bool is_strong(Strength strength) { return strength != Strength::plain; }

bool race_is_error(RaceKind kind) {
  return kind == RaceKind::unordered || kind == RaceKind::copy_not_waited_for ||
         kind == RaceKind::copy_no_barrier || kind == RaceKind::bulk_not_waited_for ||
         kind == RaceKind::product_not_waited_for || kind == RaceKind::no_proxy_fence ||
         kind == RaceKind::narrow_scope || kind == RaceKind::incoherent ||
         kind == RaceKind::owner_not_begun || kind == RaceKind::owner_ended;
}

/// The bytes that a lane stores at an address within its access, as far as a granule goes.
std::uint32_t stored(const Machine& m, const MemRef& ref, int lane, std::uint64_t shift,
                     std::uint32_t granule) {
  std::uint32_t bytes = 0;
  const auto l = static_cast<std::size_t>(lane);
  for (std::uint32_t i = 0; i < granule; ++i) {
    const std::uint64_t at = shift + i, component = at / ref.component_bytes;
    if (component >= ref.components) break;
    const std::uint32_t row = ref.value[component];
    const std::uint64_t byte = at % ref.component_bytes;
    std::uint64_t value = 0;
    if (ref.predicate_value)
      value = m.predicates[row] >> lane & 1;
    else if (ref.component_bytes == 8)
      std::memcpy(&value, m.rows + std::size_t{row} * kLanes + 2 * l, sizeof value);
    else
      value = m.rows[std::size_t{row} * kLanes + l];
    bytes |= static_cast<std::uint32_t>(value >> (8 * byte) & 0xff) << (8 * i);
  }
  return bytes;
}

}  // namespace

HappensBefore::Now Checker::now(const WarpState& warp, int lane) const {
  const std::uint32_t own = number(warp.index);
  return {own_.index, own * kLanes + static_cast<std::uint32_t>(lane), own_.epoch,
          meetings_.count(own)};
}

void Checker::marks(const Machine& machine, const WarpState& warp, std::uint32_t pc,
                    LaneMask mask) {
  const std::vector<Mark>& marks = machine.code->marks;
  auto mark = std::partition_point(marks.begin(), marks.end(),
                                   [pc](const Mark& each) { return each.pc < pc; });
  for (; mark != marks.end() && mark->pc == pc; ++mark) {
    if (mark->kind == Mark::Kind::sums_commit || mark->kind == Mark::Kind::sums_wait) {
      mark_sums(*mark, warp.index);
      continue;
    }
    if (mark->kind == Mark::Kind::cluster_arrive) {
      const bool waits = machine.code->ops[pc].code == Code::grid_barrier;
      cluster_arrival(warp.index, mask, mark->count != 0, waits);
      continue;
    }
    if (mark->kind == Mark::Kind::unset) {
      own_.undefined.unset(machine, warp, machine.code->ops[pc], mask, mark->count);
      continue;
    }
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const HappensBefore::Now at = now(warp, std::countr_zero(left));
      if (mark->kind == Mark::Kind::bulk_commit || mark->kind == Mark::Kind::bulk_wait ||
          mark->kind == Mark::Kind::fence_proxy)
        mark_bulk(*mark, at.thread);
      else if (mark->kind == Mark::Kind::fence_block || mark->kind == Mark::Kind::fence_device)
        fence(at, mark->kind == Mark::Kind::fence_device);
      else
        own_.copies.mark(*mark, at.thread, at.epoch, at.sync);
    }
  }
}

// ---- what a granule keeps ----

void Checker::note(const Access& access, int lane, Cell& cell, const Touches& touches) {
  const Touch touch = access.touch + static_cast<Touch>(lane);
  if (access.reads && access.writes) {
    cell.atomic = touch;
  } else if (access.writes) {
    cell.writer = touch;
    cell.atomic = 0;
  } else {
    const TouchedBy &first = touches[cell.reader], &other = touches[cell.other_reader];
    const auto is_current = [&](const TouchedBy& by) {
      return by.block == access.by.block && by.epoch == access.by.epoch;
    };
    // A warp that polls has last read what it goes on with.
    const auto polls_again = [&](const TouchedBy& by) {
      return by.warp == access.by.warp && is_strong(by.strength) && is_strong(access.by.strength);
    };
    if (!is_current(first) || touches.thread(cell.reader) == touches.thread(touch) ||
        polls_again(first))
      cell.reader = touch;
    else if (!is_current(other) || other.warp == first.warp || polls_again(other))
      cell.other_reader = touch;
  }
}

// ---- which two are in no order ----

void Checker::judge_all(const Access& access, const Spot& spot, const Cell& cell,
                        Touch foreign_reader) {
  if (own_.copies.any()) {
    const bool in_shared = access.region.space == MemorySpace::shared;
    const AsyncCopy* copy = in_shared       ? own_.copies.copy_to(spot.at & ~3ull)
                            : access.writes ? own_.copies.copy_from(spot.at & ~3ull)
                                            : nullptr;
    if (copy != nullptr) judge_copy(access, spot, cell, *copy);
  }
  if (settled_[access.op.info]) return;
  // What a library's own kernels leave to the hardware they were written for is nothing that its users could mend.
  if (is_of_library_) return;
  if (judge(access, spot, cell, cell.writer) || judge(access, spot, cell, cell.atomic)) return;
  if (!access.writes) return;
  if (judge(access, spot, cell, cell.reader) || judge(access, spot, cell, cell.other_reader))
    return;
  judge(access, spot, cell, foreign_reader);
}

Finding Checker::against(const Access& access, const Spot& spot, Touch before) const {
  const TouchedBy& by = touches_[before];
  Finding f = seen(access, spot.lane);
  f.kind = DiagnosticKind::race;
  f.address = spot.address;
  f.other_info = by.info;
  f.other_block = block_of(before);
  f.other_thread = thread_in_block(before);
  f.other_is_store = by.writes;
  f.other_is_atomic = by.reads && by.writes;
  return f;
}

Dim3 Checker::block_of(Touch touch) const {
  return block_of_index(touches_[touch].block - 1, launch_.grid);
}

bool Checker::judge(const Access& access, const Spot& spot, const Cell& cell, Touch before) {
  if (before == 0) return false;
  const std::optional<RaceKind> kind = race(access, spot, cell, before);
  if (!kind) return false;
  Finding f = against(access, spot, before);
  if (race_is_error(*kind)) settled_[f.info] = true;
  // Of an atomic operation and a plain access, the plain one is the mistake.
  if (f.is_atomic && !f.other_is_atomic) {
    std::swap(f.info, f.other_info);
    std::swap(f.block, f.other_block);
    std::swap(f.thread, f.other_thread);
    std::swap(f.is_store, f.other_is_store);
    std::swap(f.is_atomic, f.other_is_atomic);
  }
  add_race(*kind, f);
  return true;
}

std::optional<RaceKind> Checker::race(const Access& access, const Spot& spot, const Cell& cell,
                                      Touch before) const {
  const TouchedBy &by = touches_[before], &own = access.by;
  const std::uint32_t lane = before % kLanes;
  const HappensBefore::Now at = now(access.warp, spot.lane);
  const bool same_block = by.block == own.block, same_warp = same_block && by.warp == own.warp;
  const bool is_near = same_block || is_of_cluster(before);
  if (is_near && by.warp != by.issuer)
    return clocks_.knows(own.warp, touches_.thread(before), by.phase)
               ? std::nullopt
               : std::optional(unfinished(by));
  if (same_block && (by.epoch != own.epoch || touches_.thread(before) == at.thread))
    return std::nullopt;
  const LaneMeetings::Order met = same_warp
                                      ? meetings_.order(own.warp, at.thread % kLanes, lane, by.sync)
                                      : LaneMeetings::Order::none;
  if (met == LaneMeetings::Order::synced) return std::nullopt;
  if (!is_near && access.region.space == MemorySpace::shared) return std::nullopt;
  if (is_near && clocks_.knows(own.warp, touches_.thread(before), by.phase)) return std::nullopt;
  const bool both_strong = is_strong(by.strength) && is_strong(own.strength);
  if (both_strong && !same_block && (by.in_block || own.in_block))
    return happens_before_.order(by, lane, at) != HappensBefore::Order::before
               ? std::optional(RaceKind::narrow_scope)
               : std::nullopt;
  if (by.strength == Strength::atomic && own.strength == Strength::atomic) return std::nullopt;
  if (both_strong && (by.strength == Strength::flag || own.strength == Strength::flag))
    return same_warp && by.strength != Strength::atomic && own.strength != Strength::atomic
               ? std::optional(RaceKind::lanes_wait)
               : std::nullopt;
  if (both_strong &&
      (!same_block || by.strength == Strength::atomic || own.strength == Strength::atomic) &&
      (by.strength == Strength::atomic || own.strength == Strength::atomic))
    return std::nullopt;
  const HappensBefore::Order order = happens_before_.order(by, lane, at);
  if (order == HappensBefore::Order::before) return std::nullopt;
  if (is_strong(by.strength) && (has_seen(access, cell.reader, by, at.thread) ||
                                 has_seen(access, cell.other_reader, by, at.thread) ||
                                 has_seen(access, cell.atomic, by, at.thread)))
    return std::nullopt;
  if (order == HappensBefore::Order::without_fence)
    return both_strong ? std::nullopt : std::optional(RaceKind::without_fence);
  if (met == LaneMeetings::Order::met) return RaceKind::only_met;
  if (access.writes && by.writes && !access.reads && !by.reads && access.region.data != nullptr) {
    const std::uint32_t own_bytes =
        stored(access.machine, access.ref, spot.lane, spot.at - spot.address, spot.granule);
    std::uint32_t other = 0;
    if (before - lane == access.touch && (access.mask >> lane & 1) != 0 &&
        spot.at - access.address[lane] < access.ref.bytes)
      other = stored(access.machine, access.ref, static_cast<int>(lane),
                     spot.at - access.address[lane], spot.granule);
    else
      std::memcpy(&other, access.region.data + (spot.at - access.region.base), spot.granule);
    if (own_bytes == other) return RaceKind::same_value;
  }
  return both_strong && !same_block ? RaceKind::is_volatile : RaceKind::unordered;
}

/// Who has read what another wrote to be read at any time may go on with it: did `reader` read what
/// `by` wrote, and does that come before this access? Of a warp's lanes that read together the last is known.
bool Checker::has_seen(const Access& access, Touch reader, const TouchedBy& by,
                       std::uint32_t thread) const {
  if (reader == 0) return false;
  const TouchedBy &read = touches_[reader], &own = access.by;
  return is_strong(read.strength) && read.block == own.block &&
         (by.block != own.block || by.phase < read.phase) &&
         (read.epoch != own.epoch || read.warp == thread / kLanes);
}

void Checker::synchronise(const Access& access) {
  for (LaneMask left = access.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const bool in_shared = is_in_cluster() && access.region.space == MemorySpace::shared;
    const std::uint64_t at = access.address[lane] - (in_shared ? access.region.base : 0);
    happens_before_.synchronise(now(access.warp, lane),
                                in_shared ? kSharedWindow + cluster_offset(access.rank) + at : at,
                                {.reads = access.reads,
                                 .writes = access.writes,
                                 .ordered = access.ref.is_ordered,
                                 .device = !access.ref.in_block});
  }
}

/// What is loaded past the coherent caches is to be written by nobody while the kernel runs (CUDA C++
/// Programming Guide, "Read-Only Data Cache Load Function").
void Checker::judge_coherence(const Access& access, const Spot& spot, const Cell& cell) {
  const Touch writer = std::max(cell.writer, cell.atomic);
  if (writer == 0) return;
  Finding f = against(access, spot, writer);
  add_race(RaceKind::incoherent, f);
}

// ---- asynchronous copies ----

void Checker::begin_copies(const Access& access) {
  for (LaneMask left = access.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint32_t thread = now(access.warp, lane).thread;
    for (std::uint32_t at = 0; at < access.ref.bytes; at += 4)
      if (access.writes)
        own_.copies.issue_to(access.address[lane] + at, thread, access.op.info);
      else
        own_.copies.issue_from(access.address[lane] + at, thread, access.op.info);
  }
}

void Checker::judge_copy(const Access& access, const Spot& spot, const Cell& cell,
                         const AsyncCopy& copy) {
  const HappensBefore::Now at = now(access.warp, spot.lane);
  const AsyncCopies::State state = own_.copies.state(copy, at.thread, at.epoch, at.sync);
  if (state == AsyncCopies::State::done) return;
  // An mbarrier serves as well as a barrier.
  if (state == AsyncCopies::State::no_barrier &&
      clocks_.knows(access.by.warp, copy.thread, touches_[cell.writer].phase))
    return;
  Finding f = seen(access, spot.lane);
  f.kind = DiagnosticKind::race;
  f.address = spot.address;
  f.other_info = copy.info;
  f.other_block = own_.block;
  f.other_thread = thread_of(launch_.block, copy.thread / kLanes % warps_,
                             static_cast<int>(copy.thread % kLanes));
  f.other_is_store = true;
  add_race(state == AsyncCopies::State::no_barrier ? RaceKind::copy_no_barrier
                                                   : RaceKind::copy_not_waited_for,
           f);
}

// ---- what is kept of it ----

Finding Checker::seen(const Access& access, int lane) const {
  Finding f;
  f.space = access.region.space == MemorySpace::shared ? MemorySpace::shared : MemorySpace::global;
  f.info = access.op.info;
  f.block = own_.block;
  f.thread = thread_of(launch_.block, access.warp.index, lane);
  f.address = access.address[lane];
  f.bytes = access.ref.bytes;
  f.is_store = access.writes && !access.reads;
  f.is_atomic = access.writes && access.reads;
  return f;
}

void Checker::add_race(RaceKind kind, Finding finding) {
  finding.race = kind;
  finding.severity = race_is_error(kind) ? Severity::error : Severity::warning;
  put(finding);
}

}  // namespace lanescope
