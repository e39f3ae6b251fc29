// Divergence and reconvergence of one warp: a stack of (pc, meeting point, lanes), shared by the
// executors and the proof. The functions are `static` so that each executor keeps its own copy (see
// execute/interpreter.h).
#pragma once

#include "machine/machine.h"

namespace lanescope {

/// Splits the lanes at a branch: `taken` go to op.b, `rest` to op.c, and both meet at op.dst, the
/// branch's immediate post-dominator. Leaves the entry to continue with on top.
static inline void diverge(WarpState& w, const Op& op, LaneMask taken, LaneMask rest) {
  StackEntry& top = w.stack.back();
  const std::uint32_t meet = op.dst;
  if (meet == kNone || meet == top.meet) {
    const std::uint32_t outer = top.meet;
    if (op.c == outer) {
      top = {op.b, outer, taken};
      return;
    }
    top = {op.c, outer, rest};
    if (op.b != outer) w.stack.push_back({op.b, outer, taken});
    return;
  }
  top.pc = meet;
  if (op.c != meet) w.stack.push_back({op.c, meet, rest});
  if (op.b != meet) w.stack.push_back({op.b, meet, taken});
}

/// The lanes of `mask` have ended; false when the whole warp has.
static inline bool leave(WarpState& w, LaneMask mask) {
  w.exited |= mask;
  w.stack.pop_back();
  for (StackEntry& entry : w.stack) entry.mask &= ~w.exited;
  while (!w.stack.empty() && w.stack.back().mask == 0) w.stack.pop_back();
  return !w.stack.empty();
}

/// The lanes that have ended, or have returned and wait for the others only to end with them.
static inline LaneMask ended_lanes(const FlatCode& code, const WarpState& w) {
  LaneMask ended = w.exited, seen = w.stack.empty() ? 0 : w.stack.back().mask;
  for (std::size_t i = w.stack.size(); i-- > 0;) {
    const StackEntry& entry = w.stack[i];
    if (i + 1 < w.stack.size() && code.ops[entry.pc].code == Code::exit)
      ended |= entry.mask & ~seen;
    seen |= entry.mask;
  }
  return ended;
}

/// The row that holds each lane's mask of a warp operation that has one: a uint32 of lanes' bits.
static inline std::uint32_t mask_row(const FlatCode& code, const Op& op) {
  return operation_info(op.code).a == Operand::call ? code.calls[op.a].mask : op.a;
}

/// Where execution goes on from `pc`: lanes that reached their meeting point wait there for the
/// others.
static inline std::uint32_t settle(WarpState& w, std::uint32_t pc) {
  while (pc == w.stack.back().meet) {
    w.stack.pop_back();
    pc = w.stack.back().pc;
  }
  return pc;
}

}  // namespace lanescope
