#include "execute/loop_watch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "lower/operands.h"

namespace lanescope {
namespace {

/// Warp instructions of a block before anybody looks; then at every doubling, so that a long way round is
/// found too.
constexpr std::uint64_t kFirst = 1u << 20;
/// The same of a warp where others have waited.
constexpr std::uint64_t kSoon = 1u << 14;
/// Jumps that are compared with what was noted; the whole costs a few milliseconds each time.
constexpr std::uint32_t kLooks = 1u << 12;
/// Warp instructions after which a loop without an end is not waited for any longer: until then a mistake in
/// it may be worth more.
constexpr std::uint64_t kNoEnd = 16u << 20;
/// Bytes of memory that are kept for comparison
constexpr std::size_t kMostMemory = 4u << 20;

/// Whether some way from `pc` leads to the end of the thread, or to a trap.
bool leads_out(const FlatCode& code, std::uint32_t pc) {
  std::vector<bool> seen(code.ops.size());
  std::vector<std::uint32_t> left{pc};
  while (!left.empty()) {
    std::uint32_t at = left.back();
    left.pop_back();
    for (; at < code.ops.size() && !seen[at]; ++at) {
      seen[at] = true;
      const Op& op = code.ops[at];
      if (op.code == Code::exit || op.code == Code::trap) return true;
      if (op.code == Code::jump) left.push_back(op.a);
      if (op.code == Code::branch) left.insert(left.end(), {op.b, op.c});
      if (op.code == Code::jump || op.code == Code::branch) break;
    }
  }
  return false;
}

/// Of global memory, shared memory and the module's variables.
std::uint64_t writes_of(const Machine& machine) {
  const KernelInfo& info = machine.program->info();
  std::uint64_t writes = 0;
  for (std::size_t i = 0; i < info.accesses.size() && i < machine.counts.size(); ++i)
    if (info.accesses[i].op != AccessOp::load) writes += machine.counts[i].executions;
  return writes;
}

/// What each warp has of its own, and what holds nothing, is apart.
bool is_shared(const Region& region) {
  return region.space != MemorySpace::local && region.size != 0;
}

bool can_be_kept(const Machine& machine) {
  std::size_t bytes = 0;
  for (const Region& region : machine.regions) {
    if (!is_shared(region)) continue;
    if (region.data == nullptr || region.deferred != nullptr) return false;
    if ((bytes += region.size) > kMostMemory) return false;
  }
  return true;
}

template <class T>
bool same(const std::vector<T>& noted, const T* now) {
  return noted.empty() || std::memcmp(noted.data(), now, noted.size() * sizeof(T)) == 0;
}

/// What lanes do next; of the warp that runs, the place on top of the stack says nothing.
bool same_stack(const std::vector<StackEntry>& a, const std::vector<StackEntry>& b, bool runs) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool any_place = runs && i + 1 == a.size();
    if (a[i].mask != b[i].mask || a[i].meet != b[i].meet || (!any_place && a[i].pc != b[i].pc))
      return false;
  }
  return true;
}

bool same_warp(const WarpState& a, const WarpState& b) {
  return a.done == b.done &&
         (a.done || (a.exited == b.exited && a.barrier_pc == b.barrier_pc &&
                     a.barrier_predicate == b.barrier_predicate &&
                     same_stack(a.stack, b.stack, false) && a.kept_rows == b.kept_rows &&
                     a.kept_predicates == b.kept_predicates && a.local == b.local));
}

/// What the lanes hold of a row or predicate.
std::pair<const std::uint32_t*, std::size_t> bits_of(const Machine& machine,
                                                     const LoopSlice::Value& value) {
  const FlatCode& code = *machine.code;
  if (is_predicate_number(code, value.number))
    return {machine.predicates + predicate_of_number(code, value.number), 1};
  return {machine.rows + std::size_t{value.number} * kLanes, (value.wide ? 2 : 1) * kLanes};
}

}  // namespace

void LoopWatch::Memory::note(const Machine& machine) {
  writes = writes_of(machine);
  regions.clear();
  is_kept = can_be_kept(machine);
  if (!is_kept) return;
  for (const Region& region : machine.regions)
    if (is_shared(region)) regions.emplace_back(region.data, region.data + region.size);
}

bool LoopWatch::Memory::is_same(const Machine& machine) const {
  if (!is_kept) return writes_of(machine) == writes;
  std::size_t next = 0;
  for (const Region& region : machine.regions)
    if (is_shared(region) && !same(regions[next++], region.data)) return false;
  return true;
}

bool LoopWatch::Noted::is_due(std::uint64_t executed) {
  if (executed < next) return false;
  next = gap != 0 ? executed + gap : 2 * executed;
  gap *= 2;
  looks = 0;
  return noted = true;
}

bool LoopWatch::Noted::takes_look() { return noted && looks++ < kLooks; }

void LoopWatch::begin(std::uint64_t executed) {
  begun_ = executed;
  for (Noted* each : {static_cast<Noted*>(&warp_), static_cast<Noted*>(&block_)})
    each->noted = false, each->next = kFirst;
}

void LoopWatch::turn(Machine& machine, bool soon) {
  warp_.noted = false;
  warp_.gap = machine.has_waits ? kSoon : 0;
  if (!machine.has_waits) return;
  warp_.next = soon ? 0 : std::min(warp_.next, machine.executed - begun_ + kSoon);
  look_soon(machine);
}

void LoopWatch::look_soon(Machine& machine) const {
  machine.next_check = std::min(machine.next_check, begun_ + warp_.next);
}

void LoopWatch::note(const Machine& machine, const WarpState& warp, std::uint32_t pc) {
  warp_.pc = pc;
  warp_.stack = warp.stack;
  warp_.slice = slice_of_loop(*machine.code, pc);
  warp_.values.clear();
  for (const LoopSlice::Value& value : warp_.slice.values) {
    const auto [first, count] = bits_of(machine, value);
    warp_.values.insert(warp_.values.end(), first, first + count);
  }
  if (!warp_.slice.reads_memory) return;
  warp_.local = warp.local;
  warp_.memory.note(machine);
}

bool LoopWatch::same_values(const Machine& machine) const {
  const std::uint32_t* noted = warp_.values.data();
  return std::all_of(warp_.slice.values.begin(), warp_.slice.values.end(),
                     [&](const LoopSlice::Value& value) {
                       const auto [first, count] = bits_of(machine, value);
                       const bool same = std::equal(first, first + count, noted);
                       noted += count;
                       return same;
                     });
}

bool LoopWatch::is_back(const Machine& machine, const WarpState& warp, std::uint32_t pc) const {
  return pc == warp_.pc && same_stack(warp.stack, warp_.stack, true) && same_values(machine) &&
         (!warp_.slice.reads_memory ||
          (same(warp_.local, warp.local.data()) && warp_.memory.is_same(machine)));
}

LoopVerdict LoopWatch::look(Machine& machine, const WarpState& warp, std::uint32_t pc) {
  const std::uint64_t executed = machine.executed - begun_;
  if (warp_.takes_look()) {
    if (is_back(machine, warp, pc))
      return leads_out(*machine.code, pc) ? LoopVerdict::comes_back : LoopVerdict::has_no_end;
    machine.next_check = machine.executed;  // the next jump
    return LoopVerdict::goes_on;
  }
  if (executed >= kNoEnd && !leads_out(*machine.code, pc)) return LoopVerdict::has_no_end;
  if (!warp_.is_due(executed)) return look_soon(machine), LoopVerdict::goes_on;
  note(machine, warp, pc);
  machine.next_check = machine.executed;
  return LoopVerdict::goes_on;
}

LoopVerdict LoopWatch::meet(const Machine& machine, const std::vector<WarpState>& warps) {
  if (block_.takes_look()) {
    const bool back = std::equal(warps.begin(), warps.end(), block_.warps.begin(),
                                 block_.warps.end(), same_warp) &&
                      block_.memory.is_same(machine);
    return back ? LoopVerdict::comes_back : LoopVerdict::goes_on;
  }
  if (!block_.is_due(machine.executed - begun_)) return LoopVerdict::goes_on;
  block_.warps = warps;
  block_.memory.note(machine);
  return LoopVerdict::goes_on;
}

}  // namespace lanescope
