// What compiled code calls.
#include <cstring>
#include <utility>

#include "check/checker.h"
#include "compiled/compiled.h"
#include "machine/flow.h"
#include "model/cost_fast.h"

namespace lanescope::called {
namespace {

/// Checks, of a million warp instructions each, before a warp that polls memory is handed over.
constexpr std::uint32_t kPolls = 3;

void show_top(Frame* frame) {
  const StackEntry& top = frame->state->stack.back();
  frame->mask = top.mask;
  frame->meet = top.meet;
}

void sync(Frame* frame) { frame->machine->executed = frame->executed; }

}  // namespace

std::uint32_t operation(Frame* frame, std::uint32_t pc, LaneMask mask) {
  sync(frame);
  static const ExecuteOperation execute = choose_operation();
  const Stop stop = execute(*frame->machine, *frame->state, pc, mask);
  return stop == Stop::exited ? kGoOn : static_cast<std::uint32_t>(stop);
}

std::uint32_t part(Frame* frame, std::uint32_t pc, LaneMask taken, LaneMask rest) {
  WarpState& w = *frame->state;
  diverge(w, frame->machine->code->ops[pc], taken, rest);
  return settle(frame, w.stack.back().pc);
}

std::uint32_t settle(Frame* frame, std::uint32_t pc) {
  pc = lanescope::settle(*frame->state, pc);
  show_top(frame);
  return pc;
}

std::uint32_t leave(Frame* frame, LaneMask mask) {
  WarpState& w = *frame->state;
  if (!lanescope::leave(w, mask)) return kNone;
  return settle(frame, w.stack.back().pc);
}

std::uint32_t barrier(Frame* frame, std::uint32_t pc, LaneMask mask, LaneMask counted) {
  sync(frame);
  const Stop stop = begin_wait(*frame->machine, *frame->state, pc, mask, counted);
  return static_cast<std::uint32_t>(stop);
}

std::uint32_t check(Frame* frame, std::uint32_t pc, LaneMask mask, std::uint32_t to) {
  sync(frame);
  Machine& m = *frame->machine;
  // What compiled code holds in registers is not there to be compared.
  LoopWatch* const watch = std::exchange(m.watch, nullptr);
  const Stop stop = look_at_budget(m, *frame->state, m.code->ops[pc], mask, pc);
  m.watch = watch;
  frame->next_check = m.next_check;
  if (stop != Stop::exited) return static_cast<std::uint32_t>(stop);
  frame->polls = to != kNone ? frame->polls + 1 : 0;
  if (to == kNone || (frame->polls < kPolls && !m.has_waits)) return kGoOn;
  const FlatBlock& block = m.code->blocks[to];
  // The interpreter enters the first block anew.
  if (block.first == 0) m.block_entries[to] -= 1, m.executed -= block.count;
  frame->executed = m.executed;
  frame->state->stack.back().pc = block.first;
  return kHandOver;
}

std::uint32_t count_shared(Frame* frame, std::uint32_t pc, const std::uint64_t* offset,
                           LaneMask mask) {
  static const CountAccess count = choose_count(MemorySpace::shared);
  count(*frame->machine, pc, offset, mask);
  return kGoOn;
}

std::uint32_t count_global(Frame* frame, std::uint32_t pc, const std::uint64_t* address,
                           LaneMask mask) {
  static const CountAccess count = choose_count(MemorySpace::global);
  count(*frame->machine, pc, address, mask);
  return kGoOn;
}

std::uint32_t add_atomically(std::byte* data, const std::uint64_t* offset, std::uint32_t* values,
                             LaneMask mask) {
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int l = __builtin_ctz(left);
    std::uint32_t old = 0;
    if (data != nullptr) {
      std::memcpy(&old, data + offset[l], sizeof old);
      const std::uint32_t sum = old + values[l];
      std::memcpy(data + offset[l], &sum, sizeof sum);
    }
    values[l] = old;
  }
  return kGoOn;
}

std::uint32_t count_part(Frame* frame, std::uint32_t pc, std::uint32_t slot, LaneMask mask) {
  Machine& m = *frame->machine;
  const Op& op = m.code->ops[pc];
  // Warps come with the same lanes again and again.
  SeenCost& seen = m.seen[op.a].each[(mask * 0x9e3779b1u) >> 28];
  if (seen.mask != mask || seen.place != slot) {
    seen.mask = mask, seen.place = slot;
    seen.counts = m.compiled->cost_of(op, slot, mask);
  }
  cost::add(m.counts[m.code->refs[op.a].access], seen.counts);
  return kGoOn;
}

std::uint32_t count_execution(Frame* frame, std::uint32_t pc, const std::uint64_t*, LaneMask) {
  const FlatCode& code = *frame->machine->code;
  frame->machine->counts[code.refs[code.ops[pc].a].access].executions += 1;
  return kGoOn;
}

}  // namespace lanescope::called
