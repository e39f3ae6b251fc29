#include "prove/symbolic.h"

#include <string>

#include <fmt/format.h>

#include "prove/symbolic_run.h"

LANESCOPE_EVERY_CODE

namespace lanescope {
namespace {

constexpr const char* kMissedBarrier = "a barrier is not reached by all threads";

}  // namespace

SymbolicRun::SymbolicRun(const Machine& machine, const LoopNest& loops, const Box& box,
                         std::uint64_t budget, BoxCounts& counts)
    : m_(machine), code_(*machine.code), box_(box), left_(budget), budget_(budget),
      counts_(&counts), values_(machine, box_), nest_(loops), in_vain_(loops.loops.size()) {
  counts.accesses.assign(m_.program->info().accesses.size(), {});
  counts.block_entries.assign(code_.blocks.size(), 0);
}

SymbolicOutcome SymbolicRun::run() {
  std::vector<std::uint32_t> first;
  const std::uint32_t warps = warps_per_block(m_.launch->block);
  for (std::uint32_t i = 0; i < warps && !values_.stopped(); ++i) {
    run_warp(i);
    if (i == 0)
      first.swap(barriers_);
    else if (!values_.stopped() && barriers_ != first)
      values_.fail(kMissedBarrier);
  }
  counts_->spent = budget_ - left_;
  SymbolicOutcome outcome = values_.outcome();
  if (outcome.kind == SymbolicOutcome::Kind::failed) name_line(outcome.reason);
  return outcome;
}

void SymbolicRun::name_line(std::string& reason) const {
  const KernelInfo& info = m_.program->info();
  const Op& op = code_.ops[pc_];
  if (op.info >= info.ops.size() || m_.stop.stop_requested()) return;
  const SourcePos at = info.ops[op.info].pos;
  if (at.line > 0 && at.file == 0) reason += fmt::format(" (line {})", at.line);
}

void SymbolicRun::run_warp(std::uint32_t index) {
  flow_ = {};
  flow_.index = index;
  flow_.existing = existing_lanes(m_.launch->block, index);
  flow_.stack.assign(1, {0, kNone, flow_.existing});
  barriers_.clear();
  loops_.clear();
  values_.begin_warp(index);
  enter(0);
  advance(nullptr);
}

void SymbolicRun::enter(std::uint32_t pc) {
  pc_ = settle(flow_, pc);
  mask_ = flow_.stack.back().mask;
  // One box may take longer than a person types: what is newer waits for the processor.
  if (m_.stop.stop_requested()) return values_.fail("cancelled");
  block_ = code_.block_of[pc_];
  counts_->block_entries[block_] += box_.count();
  const std::uint32_t cost = code_.blocks[block_].count;
  if (left_ < cost)
    return values_.fail("a block executes too many operations for the symbolic run");
  left_ -= cost;
}

std::uint32_t SymbolicRun::follow(const Op& op) {
  if (op.code == Code::jump) return op.a;
  if (op.code == Code::exit) return leave(flow_, mask_) ? flow_.stack.back().pc : kNone;
  const LaneMask taken = values_.decided(op.a, mask_), rest = mask_ & ~taken;
  if (rest == 0) return op.b;
  if (taken == 0) return op.c;
  diverge(flow_, op, taken, rest);
  return flow_.stack.back().pc;
}

SymbolicRun::Place SymbolicRun::advance(const LoopBody* within) {
  while (!values_.stopped()) {
    const Op& op = code_.ops[pc_];
    switch (op.code) {
    case Code::load:
    case Code::store:
    case Code::atomic:
      access(op, mask_);
      break;
    case Code::barrier:
      if (mask_ != flow_.existing) values_.fail(kMissedBarrier);
      barriers_.push_back(pc_);
      break;
    case Code::grid_barrier:
      values_.fail("the blocks wait for one another");
      break;
    case Code::branch:
    case Code::jump:
    case Code::exit: {
      const std::uint32_t from = block_, to = follow(op);
      if (to == kNone) return Place::end;
      if (values_.stopped()) return Place::stopped;
      enter(to);
      if (within != nullptr && !within->blocks[block_]) return Place::end;
      const std::uint32_t headed = nest_.headed[block_];
      if (headed == kNone || !nest_.loops[headed].blocks[from]) continue;
      if (within == &nest_.loops[headed]) return Place::header;
      at_loop(nest_.loops[headed]);
      continue;
    }
    case Code::syncwarp:
    case Code::ballot:
    case Code::match_any:
    case Code::reduce:
    case Code::shuffle32:
    case Code::shuffle64:
      warp_operation(op);
      break;
    case Code::whole_warp:
    case Code::multiply:
    case Code::group_multiply:
      if (mask_ != kAllLanes) values_.fail("a matrix instruction in divergent code");
      if (op.code == Code::group_multiply) count_product(code_.group_products[op.a]);
      values_.execute(op, mask_);
      break;
    case Code::bulk_copy:
      count_bulk_copy(code_.bulk_copies[op.a], mask_);
      break;
#define LANESCOPE_LANEWISE(NAME, KIND, TO, X, Y, Z) case Code::NAME:
#include "lower/operations.def"
    case Code::lea:
    case Code::activemask:
    case Code::clock:
    case Code::barrier_count:
    case Code::barrier_part:
    case Code::mbarrier_wait:
    case Code::print:
    case Code::trap:
    case Code::scope_begin:
    case Code::scope_end:
    case Code::heap_taken:
    case Code::heap_freed:
    case Code::assign32:
    case Code::assign64:
    case Code::assign_p:
      values_.execute(op, mask_);
      break;
    }
    ++pc_;
  }
  return Place::stopped;
}

// Proved only where the whole warp takes part and names itself; anything finer is left to the plain
// run.
void SymbolicRun::warp_operation(const Op& op) {
  if (mask_ != (flow_.existing & ~flow_.exited) ||
      !values_.names_itself(mask_row(code_, op), mask_))
    return values_.fail("a warp operation in divergent code");
  values_.execute(op, mask_);
}

SymbolicOutcome run_symbolic(const Machine& machine, const LoopNest& loops, const Box& box,
                             std::uint64_t budget, BoxCounts& counts) {
  return SymbolicRun(machine, loops, box, budget, counts).run();
}

}  // namespace lanescope
