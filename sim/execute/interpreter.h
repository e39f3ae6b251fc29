// The interpreter's loop: runs one warp from where it stands to its next barrier, its end or a
// fault. Compiled twice, by execute_base.cpp and execute_v3.cpp, and chosen between at run time;
// everything here and in the headers beside it has internal linkage, so that the linker cannot mix
// the two.
#pragma once

#include <optional>

#include "check/checker.h"
#include "execute/executor.h"
#include "execute/lane_memory.h"
#include "execute/print.h"
#include "execute/recorder.h"
#include "execute/rows.h"
#include "execute/warp_operations.h"
#include "machine/flow.h"
#include "machine/lane_math.h"

LANESCOPE_EVERY_CODE

namespace lanescope {
namespace {

/// The result of 32-bit arithmetic as a whole number; nothing for what is not marked kNoOverflow.
std::optional<std::int64_t> exact_result(Code code, std::int64_t x, std::int64_t y) {
  if (code == Code::add32) return x + y;
  if (code == Code::sub32) return x - y;
  if (code == Code::mul32) return x * y;
  if (code == Code::shl32)
    return y >= 0 && y < 32 ? static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << y) : 0;
  return std::nullopt;
}

/// Neither as signed nor as unsigned numbers do the operands have a product of 32 bits.
bool product_wraps(std::uint32_t x, std::uint32_t y) {
  const std::int64_t exact =
      std::int64_t{static_cast<std::int32_t>(x)} * static_cast<std::int32_t>(y);
  return std::uint64_t{x} * y > 0xffffffffu && exact != static_cast<std::int32_t>(exact);
}

/// What is wrong with a division or shift of W bits.
template <class U>
std::optional<Arithmetic> undefined_operand(Code code, U x, U y) {
  constexpr U kWidth = sizeof(U) * 8, kLowest = U{1} << (kWidth - 1);
  switch (code) {
  case Code::sdiv32:
  case Code::sdiv64:
  case Code::srem32:
  case Code::srem64:
    if (x == kLowest && y == static_cast<U>(-1)) return Arithmetic::quotient_too_large;
    [[fallthrough]];
  case Code::udiv32:
  case Code::udiv64:
  case Code::urem32:
  case Code::urem64:
    return y == 0 ? std::optional(Arithmetic::zero_divisor) : std::nullopt;
  default:
    return y >= kWidth ? std::optional(Arithmetic::shift_too_far) : std::nullopt;
  }
}

/// What is wrong with a lane's computation, by what its operation is marked with.
std::optional<Arithmetic> arithmetic_mistake(const Machine& m, const Op& op, int l) {
  if ((op.aux & kPartial) != 0) {
    const bool wide = operation_info(op.code).dst == Operand::row64;
    const auto found = wide ? undefined_operand(op.code, row_of<std::uint64_t>(m, op.a)[l],
                                                row_of<std::uint64_t>(m, op.b)[l])
                            : undefined_operand(op.code, row_of<std::uint32_t>(m, op.a)[l],
                                                row_of<std::uint32_t>(m, op.b)[l]);
    if (found) return found;
  }
  const std::int32_t x = row_of<std::int32_t>(m, op.a)[l], y = row_of<std::int32_t>(m, op.b)[l];
  if ((op.aux & kNoOverflow) != 0)
    if (const auto exact = exact_result(op.code, x, y);
        exact && *exact != static_cast<std::int32_t>(*exact))
      return Arithmetic::signed_overflow;
  if ((op.aux & kIndexProduct) != 0 && op.code == Code::mul32 &&
      product_wraps(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)))
    return Arithmetic::product_wraps;
  return std::nullopt;
}

void check_arithmetic(Machine& m, const WarpState& w, const Op& op, LaneMask mask) {
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int l = __builtin_ctz(left);
    if (const auto mistake = arithmetic_mistake(m, op, l))
      return m.checker->arithmetic(w.index, op, l, *mistake);
  }
}

/// How far one call goes: to where the warp waits or ends, or over one operation.
enum class Extent { warp, operation };

template <bool Observed, Extent How>
Stop execute(Machine& m, WarpState& w, std::uint32_t pc, LaneMask mask) {
  using namespace lane;
  const Op* const ops = m.code->ops.data();
  LaneMask* const p = m.predicates;
  const auto enter = [&] {
    pc = settle(w, pc);
    mask = w.stack.back().mask;
    w.enters = w.stack.size() < w.floor;
    if (w.enters) return w.stack.back().pc = pc, false;
    const std::uint32_t block = m.code->block_of[pc];
    m.block_entries[block] += 1;
    m.executed += m.code->blocks[block].count;
    return true;
  };
  // Lanes of other strands are named, or to come too.
  const auto lacks_strands = [&](LaneMask wanted) {
    if ((wanted & ~w.strand) == 0) return false;
    return w.stack.back().pc = pc, true;
  };
  if (How == Extent::warp && (w.enters || pc == 0)) enter();

  for (bool first = true;; first = false) {
    if (How == Extent::operation && !first) return Stop::exited;
    const Op& op = ops[pc];
    if constexpr (Observed)
      if (m.checker != nullptr) {
        if ((op.aux & kMarked) != 0) m.checker->marks(m, w, pc, mask);
        if (op.code != Code::shuffle32 && op.code != Code::shuffle64)
          m.checker->operation(m, w, op, mask);
      }
    switch (op.code) {
#define LANESCOPE_UNARY(NAME, TO, FROM, EXPR, RULE)                                                \
  case Code::NAME: {                                                                               \
    TO* d = row_of<TO>(m, op.dst);                                                                 \
    const FROM* xs = row_of<FROM>(m, op.a);                                                        \
    _Pragma("GCC ivdep") for (int l = 0; l < kLanes; ++l) {                                        \
      const FROM x = xs[l];                                                                        \
      d[l] = static_cast<TO>(EXPR);                                                                \
    }                                                                                              \
    break;                                                                                         \
  }
#define LANESCOPE_BINARY(NAME, TO, FROM, EXPR, RULE)                                               \
  case Code::NAME: {                                                                               \
    TO* d = row_of<TO>(m, op.dst);                                                                 \
    const FROM *xs = row_of<FROM>(m, op.a), *ys = row_of<FROM>(m, op.b);                           \
    _Pragma("GCC ivdep") for (int l = 0; l < kLanes; ++l) {                                        \
      const FROM x = xs[l], y = ys[l];                                                             \
      d[l] = static_cast<TO>(EXPR);                                                                \
    }                                                                                              \
    break;                                                                                         \
  }
#define LANESCOPE_TERNARY(NAME, TO, FROM, EXPR, RULE)                                              \
  case Code::NAME: {                                                                               \
    TO* d = row_of<TO>(m, op.dst);                                                                 \
    const FROM *xs = row_of<FROM>(m, op.a), *ys = row_of<FROM>(m, op.b),                           \
               *zs = row_of<FROM>(m, op.c);                                                        \
    _Pragma("GCC ivdep") for (int l = 0; l < kLanes; ++l) {                                        \
      const FROM x = xs[l], y = ys[l], z = zs[l];                                                  \
      d[l] = static_cast<TO>(EXPR);                                                                \
    }                                                                                              \
    break;                                                                                         \
  }
#define LANESCOPE_DIVIDE(NAME, T, EXPR, RULE)                                                      \
  case Code::NAME: {                                                                               \
    T* d = row_of<T>(m, op.dst);                                                                   \
    const T *xs = row_of<T>(m, op.a), *ys = row_of<T>(m, op.b);                                    \
    if (divide_by_power<T, Division::RULE>(d, xs, ys)) break;                                      \
    for (int l = 0; l < kLanes; ++l) {                                                             \
      const T x = xs[l], y = ys[l];                                                                \
      d[l] = EXPR;                                                                                 \
    }                                                                                              \
    break;                                                                                         \
  }
#define LANESCOPE_COMPARE(NAME, FROM, EXPR, RULE)                                                  \
  case Code::NAME: {                                                                               \
    const FROM *xs = row_of<FROM>(m, op.a), *ys = row_of<FROM>(m, op.b);                           \
    LaneMask bits = 0;                                                                             \
    for (int l = 0; l < kLanes; ++l) {                                                             \
      const FROM x = xs[l], y = ys[l];                                                             \
      bits |= static_cast<LaneMask>(EXPR) << l;                                                    \
    }                                                                                              \
    p[op.dst] = bits;                                                                              \
    break;                                                                                         \
  }
#define LANESCOPE_TEST(NAME, FROM, EXPR, RULE)                                                     \
  case Code::NAME: {                                                                               \
    const FROM* xs = row_of<FROM>(m, op.a);                                                        \
    LaneMask bits = 0;                                                                             \
    for (int l = 0; l < kLanes; ++l) {                                                             \
      const FROM x = xs[l];                                                                        \
      bits |= static_cast<LaneMask>(EXPR) << l;                                                    \
    }                                                                                              \
    p[op.dst] = bits;                                                                              \
    break;                                                                                         \
  }
#define LANESCOPE_WIDEN(NAME, TO, EXPR, RULE)                                                      \
  case Code::NAME: {                                                                               \
    TO* d = row_of<TO>(m, op.dst);                                                                 \
    const LaneMask bits = p[op.a];                                                                 \
    for (std::uint32_t l = 0; l < kLanes; ++l) {                                                   \
      const TO x = bits >> l & 1;                                                                  \
      d[l] = EXPR;                                                                                 \
    }                                                                                              \
    break;                                                                                         \
  }
#define LANESCOPE_LOGIC1(NAME, EXPR)                                                               \
  case Code::NAME: {                                                                               \
    const LaneMask x = p[op.a];                                                                    \
    p[op.dst] = EXPR;                                                                              \
    break;                                                                                         \
  }
#define LANESCOPE_LOGIC2(NAME, EXPR)                                                               \
  case Code::NAME: {                                                                               \
    const LaneMask x = p[op.a], y = p[op.b];                                                       \
    p[op.dst] = EXPR;                                                                              \
    break;                                                                                         \
  }
#define LANESCOPE_SELECT(NAME, T)                                                                  \
  case Code::NAME:                                                                                 \
    select<T>(m, op);                                                                              \
    break;
#define LANESCOPE_MASKED(NAME, T)                                                                  \
  case Code::NAME:                                                                                 \
    masked_copy<T>(m, op, mask);                                                                   \
    break;
#include "lower/operations.def"

    case Code::lea:
      address_row(m, m.code->refs[op.a], row_of<u64>(m, op.dst));
      break;
    case Code::load:
    case Code::store:
    case Code::atomic: {
      alignas(32) std::uint64_t address[kLanes];
      const MemRef& ref = m.code->refs[op.a];
      address_row(m, ref, address);
      if (!access_memory(m, w, op, ref, address, mask)) return Stop::fault;
      if constexpr (Observed)
        if (m.recorder != nullptr) m.recorder->access(w.index, op, mask, address, ref, m.rows, p);
      ++pc;
      continue;
    }

    case Code::syncwarp:
    case Code::shuffle32:
    case Code::shuffle64:
      if (const LaneMask bad = mismatched(m, w, op, mask); bad != 0) {
        if (lacks_strands(bad)) return Stop::apart;
        fail(m, op, DiagnosticKind::divergent_barrier, bad, bad);
        if (!tolerate(m, w)) return Stop::fault;
      }
      if constexpr (Observed)
        if (m.checker != nullptr) {
          m.checker->warp_sync(m, w, op, mask);
          if (op.code != Code::syncwarp) m.checker->shuffle(m, w, op, mask);
        }
      if (op.code == Code::shuffle32) shuffle<u32>(m, op, mask);
      if (op.code == Code::shuffle64) shuffle<u64>(m, op, mask);
      break;
    case Code::ballot:
    case Code::match_any:
    case Code::reduce:
      if (const LaneMask bad = mismatched(m, w, op, mask); bad != 0) {
        if (lacks_strands(bad)) return Stop::apart;
        fail(m, op, DiagnosticKind::divergent_barrier, bad, bad);
        if (!tolerate(m, w)) return Stop::fault;
      }
      if (Observed && m.checker != nullptr) m.checker->warp_sync(m, w, op, mask);
      if (op.code == Code::ballot)
        ballot(m, op, mask);
      else if (op.code == Code::match_any)
        match_any(m, op, mask);
      else
        reduce(m, op, mask);
      break;
    case Code::multiply:
      if (mask != kAllLanes) return lacks_lanes(m, op, mask), Stop::fault;
      if constexpr (Observed)
        if (m.recorder != nullptr)
          m.recorder->product(w.index, op, mask, m.code->products[op.a], m.rows);
      multiply_rows(m, m.code->products[op.a]);
      ++pc;
      continue;
    case Code::whole_warp:
      if (mask != kAllLanes) return lacks_lanes(m, op, mask), Stop::fault;
      ++pc;
      continue;
    case Code::group_multiply:
      if (mask != kAllLanes) return lacks_lanes(m, op, mask), Stop::fault;
      if (const Stop stop = group_multiply(m, w, op); stop != Stop::exited) return stop;
      ++pc;
      continue;
    case Code::bulk_copy:
      if (const Stop stop = copy_in_bulk(m, w, op, mask); stop != Stop::exited) return stop;
      ++pc;
      continue;
    case Code::activemask:
      fill_active<u32>(row_of<u32>(m, op.dst), mask, mask);
      break;
    case Code::clock:
      fill_active<u64>(row_of<u64>(m, op.dst), mask, m.executed);
      break;

    case Code::grid_barrier:
      if (!m.launch->cooperative) return fail(m, op, DiagnosticKind::unsupported, mask, op.a);
      [[fallthrough]];
    case Code::barrier:
    case Code::barrier_count:
    case Code::barrier_part:
    case Code::mbarrier_wait: {
      if constexpr (Observed)
        if (m.recorder != nullptr) m.recorder->step(w.index, op.info, mask);
      const LaneMask counted = op.code == Code::barrier_count ? p[op.a] & mask : 0;
      const Stop stop = begin_wait(m, w, pc, mask, counted);
      if (stop == Stop::barrier) save_kept(m, w);
      return stop;
    }
    case Code::branch: {
      if constexpr (Observed)
        if (m.recorder != nullptr) m.recorder->step(w.index, op.info, mask);
      const LaneMask taken = p[op.a] & mask, rest = mask & ~taken;
      if (rest == 0)
        pc = op.b;
      else if (taken == 0)
        pc = op.c;
      else
        diverge(w, op, taken, rest), pc = w.stack.back().pc;
      if (!enter()) return Stop::apart;
      if (m.executed < m.next_check) continue;
      goto check;  // a loop of one block comes back by a branch alone
    }
    case Code::jump:
      pc = op.a;
      if (!enter()) return Stop::apart;
      if (m.executed >= m.next_check) {
      check:
        if (const Stop stop = look_at_budget(m, w, op, mask, pc); stop != Stop::exited) return stop;
      }
      continue;
    case Code::exit:
      if constexpr (Observed)
        if (m.recorder != nullptr) m.recorder->step(w.index, op.info, mask);
      if (!leave(w, mask)) return Stop::exited;
      pc = w.stack.back().pc;
      if (!enter()) return Stop::apart;
      continue;
    case Code::print:
      print_lines(m, w, row_of<u64>(m, op.a), row_of<u64>(m, op.b), mask);
      break;
    case Code::trap:
      return fail(m, op,
                  (op.aux & kAssertion) != 0 ? DiagnosticKind::assertion
                                             : DiagnosticKind::unsupported,
                  mask, op.a);

    case Code::scope_begin:
    case Code::scope_end:
      if (Observed && m.checker != nullptr)
        m.checker->scope(w.index, m.program->objects[op.a], op.code == Code::scope_end, mask);
      ++pc;
      continue;
    case Code::heap_taken:
      if (Observed && m.checker != nullptr)
        m.checker->heap_taken(w, op, row_of<u64>(m, op.a), row_of<u64>(m, op.b), mask);
      ++pc;
      continue;
    case Code::heap_freed:
      if (Observed && m.checker != nullptr)
        m.checker->heap_freed(w, op, row_of<u64>(m, op.a), mask);
      ++pc;
      continue;

    case Code::assign32:
    case Code::assign64:
    case Code::assign_p:
      if constexpr (Observed)
        if (m.recorder != nullptr) m.recorder->assign(w.index, op, mask, m.rows, p);
      ++pc;
      continue;
    }
    if constexpr (Observed) {
      if (m.checker != nullptr && (op.aux & (kNoOverflow | kPartial | kIndexProduct)) != 0)
        check_arithmetic(m, w, op, mask);
      if (m.recorder != nullptr && (op.aux & kStep) != 0) m.recorder->step(w.index, op.info, mask);
    }
    ++pc;
  }
}

template <bool Observed>
Stop execute_warp(Machine& m, WarpState& w) {
  restore_kept(m, w);
  return execute<Observed, Extent::warp>(m, w, w.stack.back().pc, w.stack.back().mask);
}

Stop execute_operation(Machine& m, WarpState& w, std::uint32_t pc, LaneMask mask) {
  return execute<false, Extent::operation>(m, w, pc, mask);
}

}  // namespace
}  // namespace lanescope
