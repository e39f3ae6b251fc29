// The machine's rows as the interpreter's loops see them. Compiled twice, see interpreter.h:
// everything here has internal linkage.
#pragma once

#include <cstring>
#include <type_traits>

#include "machine/machine.h"

namespace lanescope {
namespace {

/// 32 lanes of T: one row, or two when T is 64 bits wide.
template <class T>
T* row_of(const Machine& m, std::uint32_t row) {
  return reinterpret_cast<T*>(m.rows + std::size_t{row} * kLanes);
}

/// `yes` in the lanes whose bit is set, `no` in the others; either may be `d` itself.
template <class T>
void select(T* d, LaneMask condition, const T* yes, const T* no) {
#pragma GCC ivdep
  for (std::uint32_t l = 0; l < kLanes; ++l) d[l] = condition >> l & 1 ? yes[l] : no[l];
}

template <class T>
void select(const Machine& m, const Op& op) {
  if constexpr (std::is_same_v<T, bool>) {
    const LaneMask* p = m.predicates;
    m.predicates[op.dst] = (p[op.a] & p[op.b]) | (~p[op.a] & p[op.c]);
  } else {
    select(row_of<T>(m, op.dst), m.predicates[op.a], row_of<T>(m, op.b), row_of<T>(m, op.c));
  }
}

template <class T>
void masked_copy(const Machine& m, const Op& op, LaneMask mask) {
  if constexpr (std::is_same_v<T, bool>) {
    LaneMask* p = m.predicates;
    p[op.dst] = (p[op.a] & mask) | (p[op.dst] & ~mask);
  } else {
    select(row_of<T>(m, op.dst), mask, row_of<T>(m, op.a), row_of<T>(m, op.dst));
  }
}

enum class Division { quotient, remainder };

/// Division by one power of two for all lanes, the commonest case in index arithmetic, as a shift.
/// False, with nothing done, in any other case.
template <class T, Division What>
bool divide_by_power(T* d, const T* a, const T* b) {
  using U = std::make_unsigned_t<T>;
  const T first = b[0];
  T differ = 0;
  for (int l = 0; l < kLanes; ++l) differ |= static_cast<T>(b[l] ^ first);
  if (differ != 0 || first <= 0 || (static_cast<U>(first) & (static_cast<U>(first) - 1)) != 0)
    return false;
  const int shift = __builtin_ctzll(static_cast<std::uint64_t>(first));
  const T low = static_cast<T>(first - 1);
  for (int l = 0; l < kLanes; ++l) {
    const T x = a[l];
    const T bias = std::is_signed_v<T> && x < 0 ? low : T{0};
    const T quotient =
        static_cast<T>(static_cast<T>(static_cast<U>(x) + static_cast<U>(bias)) >> shift);
    d[l] = What == Division::remainder
               ? static_cast<T>(static_cast<U>(x) - (static_cast<U>(quotient) << shift))
               : quotient;
  }
  return true;
}

/// What lives across barriers goes into the warp that waits, and comes back from it.
void save_kept(Machine& m, WarpState& w) {
  if (m.code->kept_rows != 0)
    std::memcpy(w.kept_rows.data(), m.rows, std::size_t{m.code->kept_rows} * kLanes * 4);
  if (m.code->kept_predicates != 0)
    std::memcpy(w.kept_predicates.data(), m.predicates, std::size_t{m.code->kept_predicates} * 4);
}

void restore_kept(Machine& m, const WarpState& w) {
  if (m.code->kept_rows != 0)
    std::memcpy(m.rows, w.kept_rows.data(), std::size_t{m.code->kept_rows} * kLanes * 4);
  if (m.code->kept_predicates != 0)
    std::memcpy(m.predicates, w.kept_predicates.data(), std::size_t{m.code->kept_predicates} * 4);
  const std::uint32_t* threads = m.thread_rows.data() + std::size_t{w.index} * 3 * kLanes;
  for (const SpecialRow& special : m.code->specials) {
    const auto axis = static_cast<unsigned>(special.what);
    if (axis < 3)
      std::memcpy(m.rows + std::size_t{special.row} * kLanes, threads + axis * kLanes, kLanes * 4);
    else if (special.what == Special::warpid)
      for (int l = 0; l < kLanes; ++l) row_of<std::uint32_t>(m, special.row)[l] = w.index;
  }
  if (w.barrier_row == kNone) return;
  for (LaneMask left = w.stack.back().mask; left != 0; left &= left - 1)
    row_of<std::uint32_t>(m, w.barrier_row)[__builtin_ctz(left)] = w.barrier_count;
}

}  // namespace
}  // namespace lanescope
