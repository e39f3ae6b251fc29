// The row file of a symbolic run, and what each operation does to it.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "prove/loop_nest.h"
#include "prove/symbolic.h"

namespace lanescope {

/// A predicate that is the same in all blocks of the box, where `known`; elsewhere its bits are 0.
struct SymbolicPredicate {
  LaneMask value = 0, known = 0;
};

/// The values that a loop writes, in its order.
struct SymbolicSnapshot {
  std::vector<AffineRow> rows;
  std::vector<SymbolicPredicate> predicates;
};

/// Rows and predicates by the indices of FlatCode, one entry for a value of 64 bits too (at its
/// first row). Values start with what the machine's row file holds: constants, arguments, extents.
class SymbolicValues {
 public:
  SymbolicValues(const Machine& machine, const Box& box);

  [[nodiscard]] bool stopped() const { return outcome_.kind != SymbolicOutcome::Kind::done; }
  [[nodiscard]] const SymbolicOutcome& outcome() const { return outcome_; }
  /// The first reason stays.
  void fail(const char* reason);

  /// After a stop that was only one of an attempt.
  void go_on() { outcome_ = {}; }

  /// Nothing of the warp before is known any more.
  void begin_warp(std::uint32_t warp);

  [[nodiscard]] SymbolicSnapshot snapshot(const LoopBody& loop) const;
  void restore(const LoopBody& loop, const SymbolicSnapshot& values);
  /// How far in a dimension, from 0, no comparison changes.
  struct Watch {
    /// kDimensions: none is watched
    std::size_t dimension = kDimensions;
    std::int64_t uniform = std::numeric_limits<std::int64_t>::max();
  };
  /// From now on; what was watched until now.
  Watch watch(Watch next) { return std::exchange(watch_, next); }

  [[nodiscard]] const AffineRow& row(std::uint32_t index) const { return rows_[index]; }
  [[nodiscard]] const SymbolicPredicate& predicate(std::uint32_t index) const {
    return predicates_[index];
  }

  /// The lanes of `mask` where the predicate holds; stops when that is not known.
  LaneMask decided(std::uint32_t predicate, LaneMask mask);
  /// Does every lane of `mask` find its own bit set in the row, in every block?
  [[nodiscard]] bool names_itself(std::uint32_t row, LaneMask mask) const;
  /// In bytes.
  AffineRow address(const MemRef& ref) const;
  /// What a load or atomic leaves in its rows: unknown, but for __constant__ data at a fixed
  /// address.
  void set_loaded(const MemRef& ref, const Region& region, const AffineRow& address, LaneMask mask);
  /// Everything but control flow and memory: those fail here.
  void execute(const Op& op, LaneMask mask);

 private:
  friend class SymbolicRules;

  /// A comparison that the difference decides, where a dimension is watched.
  void note(const AffineRow& difference, int lane) {
    if (watch_.dimension < kDimensions)
      watch_.uniform =
          std::min(watch_.uniform, uniform_until(difference, box_, watch_.dimension, lane));
  }
  static void clear(AffineRow& row) {
    if (row.known != 0 || !row.flat()) row = AffineRow::unknown();
  }
  /// The destination, of whatever kind it is, becomes unknown in all lanes.
  void forget(const Op& op);
  void split(const Decision& decision);
  /// Splits by the remainders that make the lane's slopes multiples of `divisor`, if these are
  /// fewer than `parts`.
  bool split_by_residue(const AffineRow& row, std::size_t lane, std::int64_t divisor,
                        std::int64_t parts);

  const Machine& m_;
  const FlatCode& code_;
  const Box& box_;
  std::vector<AffineRow> rows_;
  std::vector<SymbolicPredicate> predicates_;
  SymbolicOutcome outcome_;
  Watch watch_;
};

}  // namespace lanescope
