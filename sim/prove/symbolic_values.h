// The row file of a symbolic run and what each operation does to it.
#pragma once

#include <vector>

#include "prove/symbolic.h"

namespace lanescope {

/// A predicate that is the same in all blocks of the box, where `known`.
struct SymbolicPredicate {
  LaneMask value = 0, known = 0;
};

class SymbolicValues {
 public:
  SymbolicValues(const Machine& machine, const Box& box);

  [[nodiscard]] bool stopped() const { return outcome_.kind != SymbolicOutcome::Kind::done; }
  [[nodiscard]] const SymbolicOutcome& outcome() const { return outcome_; }
  void fail(const char* reason);

  void load_kept(const std::vector<AffineRow>& rows,
                 const std::vector<SymbolicPredicate>& predicates);
  void save_kept(std::vector<AffineRow>& rows, std::vector<SymbolicPredicate>& predicates) const;
  void set_threads(std::uint32_t warp);

  /// The lanes of `mask` where the predicate holds; stops when that is not known.
  LaneMask decided(std::uint32_t predicate, LaneMask mask);
  /// Does every lane of `mask` find its own bit set in the row, in every block?
  [[nodiscard]] bool names_itself(std::uint32_t row, LaneMask mask) const;
  AffineRow address(const MemRef& ref) const;
  /// What a load or atomic leaves in its rows: unknown, but for __constant__ data at a fixed
  /// address.
  void set_loaded(const MemRef& ref, const Region& region, const AffineRow& address, LaneMask mask);
  /// Everything but control flow and memory.
  void execute(const Op& op, LaneMask mask);

 private:
  bool execute_integer(const Op& op, LaneMask mask);
  bool execute_compare(const Op& op, LaneMask mask);
  bool execute_predicate(const Op& op, LaneMask mask);
  bool execute_move(const Op& op, LaneMask mask);
  void put(std::uint32_t row, AffineRow value, unsigned bits, LaneMask mask);
  void split(const Decision& decision);
  /// Splits by the remainders that make the lane's slopes multiples of `divisor`, if these are
  /// fewer than `parts`.
  bool split_by_residue(const AffineRow& row, std::size_t lane, std::int64_t divisor,
                        std::int64_t parts);
  template <class F>
  void flat_bits(const Op& op, unsigned bits, LaneMask mask, F&& f);
  void bit_and(const Op& op, unsigned bits, LaneMask mask);
  void shift_left(const Op& op, unsigned bits, LaneMask mask);
  enum class Division : std::uint8_t { quotient, remainder };
  void divide(const Op& op, unsigned bits, LaneMask mask, Division what, bool by_power,
              bool is_signed);
  bool divide_lane(const AffineRow& a, std::int64_t divisor, std::size_t l, Division what,
                   bool negative_too, AffineRow& out);
  void extreme(const Op& op, unsigned bits, LaneMask mask, bool is_signed, bool smaller);
  enum class Compare : std::uint8_t { equal, not_equal, less, less_equal };
  void compare(const Op& op, LaneMask mask, Compare what, bool is_signed, unsigned bits);

  const Machine& m_;
  const FlatCode& code_;
  const Box& box_;
  std::vector<AffineRow> rows_;
  std::vector<SymbolicPredicate> predicates_;
  SymbolicOutcome outcome_;
};

}  // namespace lanescope
