// How the result of one operation follows from its operands for a whole box of blocks. The last
// column of lower/operations.def names the rule of each operation.
#pragma once

#include "prove/symbolic_values.h"

namespace lanescope {

/// One operation on the values of a symbolic run. T is the type of its result, X that of its
/// operands; `f` computes a lane of it, for the lanes whose operands are the same in all blocks.
/// Lanes outside of `mask` may become unknown.
class SymbolicRules {
 public:
  SymbolicRules(SymbolicValues& values, const Op& op, LaneMask mask);

  template <class T, class X, class F>
  void unknown(F f);

  // ---- rows from two rows ----

  /// Known only where both operands are the same in all blocks.
  template <class T, class X, class F>
  void constant(F f);
  template <class T, class X, class F>
  void sum(F f);
  template <class T, class X, class F>
  void difference(F f);
  template <class T, class X, class F>
  void product(F f);
  /// With a fixed number below 2^k too, where the block moves the other by multiples of 2^k only.
  template <class T, class X, class F>
  void conjunction(F f);
  template <class T, class X, class F>
  void disjunction(F f);
  template <class T, class X, class F>
  void exclusive(F f);
  template <class T, class X, class F>
  void shift_left(F f);
  template <class T, class X, class F>
  void shift_right(F f);
  template <class T, class X, class F>
  void quotient(F f);
  template <class T, class X, class F>
  void remainder(F f);
  template <class T, class X, class F>
  void minimum(F f);
  template <class T, class X, class F>
  void maximum(F f);

  // ---- rows from one row or predicate ----

  /// The same number in the wider type, or a copy.
  template <class T, class X, class F>
  void same(F f);
  template <class T, class X, class F>
  void zero_extended(F f);
  /// The low bits as a signed number: nothing changes where it fits.
  template <class T, class X, class F>
  void narrowed8(F f);
  template <class T, class X, class F>
  void narrowed16(F f);
  template <class T, class X, class F>
  void narrowed32(F f);
  template <class T, class X, class F>
  void bit(F f);

  // ---- predicates ----

  template <class T, class X, class F>
  void equal(F f);
  template <class T, class X, class F>
  void not_equal(F f);
  template <class T, class X, class F>
  void less(F f);
  template <class T, class X, class F>
  void less_equal(F f);
  /// The last bit, where the block moves x by even numbers only.
  template <class T, class X, class F>
  void parity(F f);
  /// Known where the unknown operands do not matter.
  template <class F>
  void logic1(F f);
  template <class F>
  void logic2(F f);

  // ---- either ----

  template <class T>
  void select();
  template <class T>
  void masked_copy();

 private:
  enum class Division : std::uint8_t { quotient, remainder };
  enum class Compare : std::uint8_t { equal, not_equal, less, less_equal };

  AffineRow& out() { return values_.rows_[op_.dst]; }
  const AffineRow& a() const { return values_.rows_[op_.a]; }
  const AffineRow& b() const { return values_.rows_[op_.b]; }
  const SymbolicPredicate& predicate(std::uint32_t index) const {
    return values_.predicates_[index];
  }
  /// The result, without the lanes that may not fit a signed number of `bits`.
  void put(AffineRow value, unsigned bits);
  void put(SymbolicPredicate value);
  template <class T, class F>
  void add(std::int64_t sign, F f);
  /// `keeps_high`: bits above those of the fixed number stay; else they are 0.
  template <class T, class X, class F>
  void bitwise(bool keeps_high, F f);
  /// By a fixed positive number; `by_power`: a shift right by a fixed count.
  template <class T, class F>
  void divide(Division what, bool by_power, F f);
  bool divide_lane(const AffineRow& a, std::int64_t divisor, std::size_t l, Division what,
                   bool negative_too, AffineRow& out);
  template <class T>
  void extreme(bool smaller);
  template <class T, class X, class F>
  void narrow(unsigned bits, F f);
  template <class T, class F>
  void compare(Compare what, F f);

  SymbolicValues& values_;
  const Op& op_;
  const LaneMask mask_;
  const Box& box_;
};

}  // namespace lanescope
