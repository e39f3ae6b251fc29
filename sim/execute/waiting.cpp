// Where warps wait, run out of their budget or fail.
#include "execute/executor.h"
#include "execute/loop_watch.h"
#include "execute/meetings.h"

namespace lanescope {
namespace {

/// How many operations may pass before budget and cancellation are looked at again.
constexpr std::uint64_t kCheckEvery = 1u << 20;

}  // namespace

Stop fail(Machine& m, const Op& op, DiagnosticKind kind, LaneMask lanes, std::uint32_t detail) {
  m.fault = {};
  m.fault.kind = kind;
  m.fault.info = op.info;
  m.fault.lane = lanes != 0 ? __builtin_ctz(lanes) : 0;
  m.fault.detail = detail;
  return Stop::fault;
}

Stop begin_wait(Machine& m, WarpState& w, std::uint32_t pc, LaneMask mask, LaneMask counted) {
  const Op& op = m.code->ops[pc];
  if (op.code != Code::mbarrier_wait && (w.existing & ~w.exited & ~mask & ~w.strand) != 0)
    return w.stack.back().pc = pc, Stop::apart;
  if (const Stop stop = begin_meeting(m, w, pc, mask); stop != Stop::barrier) return stop;
  const LaneMask missing = op.code == Code::mbarrier_wait ? 0 : w.existing & ~mask;
  if (missing != 0) {
    // Lanes that have ended are not waited for (CUDA C++ Programming Guide, "Independent Thread
    // Scheduling": all non-exited threads reach it); others come to a barrier of their own.
    const LaneMask others = missing & ~w.exited;
    const LaneMask named = others != 0 ? others : missing;
    fail(m, op, DiagnosticKind::divergent_barrier, named, named & (0 - named) & w.exited);
    m.fault.passes = others == 0;
    if (!tolerate(m, w)) return Stop::fault;
  }
  w.barrier_pc = pc;
  w.barrier_row = op.dst;
  w.barrier_predicate = counted;
  w.stack.back().pc = pc + 1;
  return Stop::barrier;
}

namespace {

/// A jump that the compiler has made has no line; then the first operation's that it leads to and that has one.
Stop stop_in_loop(Machine& m, const Op& op, LaneMask mask, std::uint32_t pc, LoopVerdict verdict) {
  fail(m, op, DiagnosticKind::step_budget, mask, static_cast<std::uint32_t>(verdict));
  const std::vector<OpInfo>& infos = m.program->info().ops;
  for (; infos[m.fault.info].pos.line == 0 && pc < m.code->ops.size(); ++pc)
    m.fault.info = m.code->ops[pc].info;
  return Stop::budget;
}

}  // namespace

Stop look_at_budget(Machine& m, const WarpState& w, const Op& op, LaneMask mask, std::uint32_t pc) {
  m.next_check = m.executed + kCheckEvery;
  if (m.executed >= m.budget_end) return stop_in_loop(m, op, mask, pc, LoopVerdict::goes_on);
  if (m.stop.stop_requested()) return Stop::cancelled;
  if (m.watch == nullptr) return Stop::exited;
  const LoopVerdict verdict = m.watch->look(m, w, pc);
  return verdict == LoopVerdict::goes_on ? Stop::exited : stop_in_loop(m, op, mask, pc, verdict);
}

}  // namespace lanescope
