#include "prove/symbolic.h"

#include <bit>
#include <cstring>
#include <numeric>

#include "machine/flow.h"
#include "model/cost_fast.h"
#include "prove/symbolic_values.h"

LANESCOPE_EVERY_CODE

namespace lanescope {
namespace {

struct SymbolicWarp {
  WarpState flow;
  /// Those that live across barriers
  std::vector<AffineRow> rows;
  std::vector<SymbolicPredicate> predicates;
};

class SymbolicRun {
 public:
  SymbolicRun(const Machine& machine, const Box& box, std::uint64_t budget, BoxCounts& counts)
      : m_(machine), code_(*machine.code), box_(box), left_(budget), counts_(counts),
        values_(machine, box) {
    counts_.accesses.assign(m_.program->info().accesses.size(), {});
    counts_.block_entries.assign(code_.blocks.size(), 0);
    warps_.resize(warps_per_block(m_.launch->block));
    for (std::uint32_t i = 0; i < warps_.size(); ++i) {
      SymbolicWarp& w = warps_[i];
      w.flow.index = i;
      w.flow.existing = existing_lanes(m_.launch->block, i);
      w.flow.stack.assign(1, {0, kNone, w.flow.existing});
      w.rows.resize(code_.kept_rows);
      w.predicates.resize(code_.kept_predicates);
    }
  }

  SymbolicOutcome run() {
    for (;;) {
      bool waiting = false;
      for (SymbolicWarp& w : warps_) {
        if (w.flow.done) continue;
        run_warp(w);
        if (values_.stopped()) return values_.outcome();
        waiting |= !w.flow.done;
      }
      if (!waiting) return {};
      std::uint32_t pc = kNone;
      for (const SymbolicWarp& w : warps_) {
        if (w.flow.done || (pc != kNone && w.flow.barrier_pc != pc))
          return values_.fail("a barrier is not reached by all threads"), values_.outcome();
        pc = w.flow.barrier_pc;
      }
    }
  }

 private:
  void enter(SymbolicWarp& w, std::uint32_t& pc, LaneMask& mask) {
    pc = settle(w.flow, pc);
    mask = w.flow.stack.back().mask;
    // One box may take longer than a person types: what is newer waits for the processor.
    if (m_.stop.stop_requested()) return values_.fail("cancelled");
    const std::uint32_t block = code_.block_of[pc];
    counts_.block_entries[block] += box_.count();
    const std::uint32_t cost = code_.blocks[block].count;
    if (left_ < cost)
      return values_.fail("a block executes too many operations for the symbolic run");
    left_ -= cost;
  }

  void run_warp(SymbolicWarp& w) {
    values_.load_kept(w.rows, w.predicates);
    values_.set_threads(w.flow.index);
    std::uint32_t pc = w.flow.stack.back().pc;
    LaneMask mask = w.flow.stack.back().mask;
    if (pc == 0) enter(w, pc, mask);
    while (!values_.stopped()) {
      const Op& op = code_.ops[pc];
      switch (op.code) {
      case Code::load:
      case Code::store:
      case Code::atomic:
        access(op, mask);
        break;
      case Code::barrier:
        if (mask != w.flow.existing) return values_.fail("a barrier is not reached by all threads");
        w.flow.barrier_pc = pc;
        w.flow.stack.back().pc = pc + 1;
        return values_.save_kept(w.rows, w.predicates);
      case Code::grid_barrier:
        return values_.fail("the blocks wait for one another");
      case Code::branch: {
        const LaneMask taken = values_.decided(op.a, mask), rest = mask & ~taken;
        if (values_.stopped()) return;
        if (rest == 0)
          pc = op.b;
        else if (taken == 0)
          pc = op.c;
        else
          diverge(w.flow, op, taken, rest), pc = w.flow.stack.back().pc;
        enter(w, pc, mask);
        continue;
      }
      case Code::jump:
        pc = op.a;
        enter(w, pc, mask);
        continue;
      case Code::exit:
        if (!leave(w.flow, mask)) return void(w.flow.done = true);
        pc = w.flow.stack.back().pc;
        enter(w, pc, mask);
        continue;
      case Code::syncwarp:
      case Code::ballot:
      case Code::match_any:
      case Code::reduce:
      case Code::shuffle32:
      case Code::shuffle64:
        warp_operation(w.flow, op, mask);
        break;
#define LANESCOPE_LANEWISE(NAME, KIND, TO, X, Y, Z) case Code::NAME:
#include "lower/operations.def"
      case Code::lea:
      case Code::activemask:
      case Code::clock:
      case Code::barrier_count:
      case Code::print:
      case Code::trap:
      case Code::scope_begin:
      case Code::scope_end:
      case Code::heap_taken:
      case Code::heap_freed:
      case Code::assign32:
      case Code::assign64:
      case Code::assign_p:
        values_.execute(op, mask);
        break;
      }
      ++pc;
    }
  }

  // Proved only where the whole warp takes part and names itself; anything finer is left to the
  // plain run.
  void warp_operation(const WarpState& w, const Op& op, LaneMask mask) {
    if (mask != (w.existing & ~w.exited) || !values_.names_itself(mask_row(code_, op), mask))
      return values_.fail("a warp operation in divergent code");
    values_.execute(op, mask);
  }

  // ---- accesses ----

  /// The region that holds the addresses of all active lanes in every block of the box; null if
  /// none does.
  const Region* region_of(const AffineRow& address, LaneMask mask, std::uint32_t bytes) const {
    const Region* region = nullptr;
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const Interval r = address.range(box_, std::countr_zero(left));
      if (region == nullptr)
        for (const Region& candidate : m_.regions)
          if (static_cast<std::uint64_t>(r.low) - candidate.base < candidate.size)
            region = &candidate;
      if (region == nullptr || region->size < bytes) return nullptr;
      const auto base = static_cast<std::int64_t>(region->base);
      if (r.low < base || r.high > base + static_cast<std::int64_t>(region->size - bytes))
        return nullptr;
    }
    return region;
  }

  /// All active lanes move by the same amount from block to block, in steps of `bytes` at least.
  bool moves_together(const AffineRow& address, LaneMask mask, std::uint32_t bytes) const {
    const auto first = static_cast<std::size_t>(std::countr_zero(mask));
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const auto l = static_cast<std::size_t>(std::countr_zero(left));
      std::int64_t at = address.base[l];
      for (std::size_t d = 0; d < 3; ++d) {
        at += address.slope[d][l] * box_.low[d];
        if (box_.low[d] == box_.high[d]) continue;
        if (address.slope[d][l] != address.slope[d][first] || address.slope[d][l] % bytes != 0)
          return false;
      }
      if (at % bytes != 0) return false;
    }
    return true;
  }

  void access(const Op& op, LaneMask mask) {
    const MemRef& ref = code_.refs[op.a];
    const AffineRow address = values_.address(ref);
    if ((mask & ~address.known) != 0)
      return values_.fail("an address depends on loaded data, or is not affine in blockIdx");
    const Region* region = region_of(address, mask, ref.bytes);
    if (region == nullptr) return values_.fail("an access may leave its buffer in some block");
    if (!moves_together(address, mask, ref.bytes))
      return values_.fail("the lanes of an access move apart from block to block");
    AccessCounts& counts = counts_.accesses[ref.access];
    counts.executions += box_.count();
    const bool is_global =
        ref.space != MemorySpace::constant && ref.space != MemorySpace::texture &&
        (region->space == MemorySpace::global || region->space == MemorySpace::constant);
    if (region->space == MemorySpace::shared)
      count_shared(counts, address, mask, ref, op.code == Code::load);
    if (is_global) count_global(counts, address, mask, ref);
    if (op.code != Code::store) values_.set_loaded(ref, *region, address, mask);
  }

  void low_addresses(const AffineRow& address, LaneMask mask, std::uint64_t* out) const {
    for (std::size_t l = 0; l < kLanes; ++l) {
      std::int64_t at = address.base[l];
      for (std::size_t d = 0; d < 3; ++d) at += address.slope[d][l] * box_.low[d];
      out[l] = mask >> l & 1 ? static_cast<std::uint64_t>(at) : 0;
    }
  }

  // Moving all lanes by a multiple of a word only turns the banks: the cost is that of any one
  // block.
  void count_shared(AccessCounts& counts, const AffineRow& address, LaneMask mask,
                    const MemRef& ref, bool is_load) {
    std::uint64_t at[kLanes];
    low_addresses(address, mask, at);
    std::uint32_t offset[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l)
      offset[l] = mask >> l & 1 ? static_cast<std::uint32_t>(at[l] - kSharedWindow) : 0;
    if (ref.bytes < 4)
      for (std::size_t d = 0; d < 3; ++d)
        if (box_.low[d] != box_.high[d] &&
            address.slope[d][static_cast<std::size_t>(std::countr_zero(mask))] % 4 != 0)
          return values_.fail("a narrow shared access moves by parts of a word");
    const cost::Shared c = cost::shared(offset, mask, ref.bytes, is_load);
    const std::uint64_t n = box_.count();
    counts.shared.requests += n;
    counts.shared.wavefronts += n * c.wavefronts;
    counts.shared.ideal_wavefronts += n * c.ideal;
    counts.shared.conflicts += n * c.conflicts;
  }

  /// How many blocks of the box shift the request by r bytes modulo a sector, for each r.
  std::array<std::uint64_t, kSectorBytes> residues(const AffineRow& address,
                                                   std::size_t lane) const {
    std::array<std::uint64_t, kSectorBytes> all{};
    all[0] = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      const auto extent = static_cast<std::uint64_t>(box_.high[d] - box_.low[d] + 1);
      const auto step = static_cast<std::uint64_t>(address.slope[d][lane]) % kSectorBytes;
      if (step == 0) {
        for (std::uint64_t& n : all) n *= extent;
        continue;
      }
      const std::uint64_t period = kSectorBytes / std::gcd(step, kSectorBytes);
      std::array<std::uint64_t, kSectorBytes> next{};
      for (std::uint64_t i = 0; i < period && i < extent; ++i) {
        const std::uint64_t n = (extent - i + period - 1) / period;
        for (std::uint64_t r = 0; r < kSectorBytes; ++r)
          next[(r + i * step) % kSectorBytes] += all[r] * n;
      }
      all = next;
    }
    return all;
  }

  void count_global(AccessCounts& counts, const AffineRow& address, LaneMask mask,
                    const MemRef& ref) {
    std::uint64_t low[kLanes], shifted[kLanes];
    low_addresses(address, mask, low);
    const auto all = residues(address, static_cast<std::size_t>(std::countr_zero(mask)));
    for (std::uint64_t r = 0; r < kSectorBytes; ++r) {
      if (all[r] == 0) continue;
      for (std::size_t l = 0; l < kLanes; ++l) shifted[l] = low[l] + r;
      const cost::Global c = cost::global(shifted, mask, ref.bytes);
      counts.global.requests += all[r];
      counts.global.sectors += all[r] * c.sectors;
      counts.global.ideal_sectors += all[r] * c.ideal;
      counts.global.bytes_asked +=
          all[r] * static_cast<std::uint64_t>(active_lanes(mask)) * ref.bytes;
    }
  }

  const Machine& m_;
  const FlatCode& code_;
  const Box& box_;
  std::uint64_t left_;
  BoxCounts& counts_;
  SymbolicValues values_;
  std::vector<SymbolicWarp> warps_;
};

}  // namespace

SymbolicOutcome run_symbolic(const Machine& machine, const Box& box, std::uint64_t budget,
                             BoxCounts& counts) {
  return SymbolicRun(machine, box, budget, counts).run();
}

}  // namespace lanescope
