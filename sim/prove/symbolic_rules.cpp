#include "prove/symbolic_rules.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "machine/lane_math.h"

LANESCOPE_EVERY_CODE

namespace lanescope {
namespace {

/// Remainders of what bits are taken of are worth fewer classes than this.
constexpr std::int64_t kMostResidues = 65;
/// Bits from here on are out of a divisor's reach.
constexpr std::int64_t kMostBits = std::int64_t{1} << 62;

template <class T>
constexpr unsigned kBits = sizeof(T) * 8;
/// Counts of shifts that stay within reach.
template <class T>
constexpr std::int64_t kMostShift = std::min(kBits<T>, 62u);

/// x - y, known where it can be told apart from what is too far to be told.
template <class T>
AffineRow difference_of(const AffineRow& x, const AffineRow& y, const Box& box) {
  AffineRow difference = affine_add(x, y, -1);
  if (sizeof(T) == 8) difference.keep_fitting(box, kBits<T>);
  return difference;
}

/// A value as affine rows keep it, whatever the signedness of its type.
template <class T>
std::int64_t as_signed(T value) {
  return static_cast<std::int64_t>(static_cast<std::make_signed_t<T>>(value));
}

bool has_lane(LaneMask lanes, std::size_t l) { return (lanes >> l & 1) != 0; }

}  // namespace

SymbolicRules::SymbolicRules(SymbolicValues& values, const Op& op, LaneMask mask)
    : values_(values), op_(op), mask_(mask), box_(values.box_) {}

void SymbolicRules::put(AffineRow value, unsigned bits) {
  value.keep_fitting(box_, bits);
  out() = std::move(value);
}

void SymbolicRules::put(SymbolicPredicate value) {
  value.value &= value.known;
  values_.predicates_[op_.dst] = value;
}

template <class T, class X, class F>
void SymbolicRules::unknown(F) {
  values_.forget(op_);
}

// ---- sums and products ----

template <class T, class X, class F>
void SymbolicRules::constant(F f) {
  AffineRow row;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const int lane = static_cast<int>(l);
    if (!has_lane(a().known & b().known & mask_, l) || !a().is_flat(lane) || !b().is_flat(lane))
      continue;
    row.base[l] = as_signed<T>(f(static_cast<X>(a().base[l]), static_cast<X>(b().base[l])));
    row.known |= 1u << l;
  }
  out() = row;
}

template <class T, class F>
void SymbolicRules::add(std::int64_t sign, F f) {
  if (a().flat() && b().flat()) return constant<T, T>(f);
  put(affine_add(a(), b(), sign), kBits<T>);
}
template <class T, class X, class F>
void SymbolicRules::sum(F f) {
  add<T>(1, f);
}
template <class T, class X, class F>
void SymbolicRules::difference(F f) {
  add<T>(-1, f);
}

template <class T, class X, class F>
void SymbolicRules::product(F f) {
  if (a().flat() && b().flat()) return constant<T, X>(f);
  put(affine_multiply(a(), b()), kBits<T>);
}

template <class T, class X, class F>
void SymbolicRules::shift_left(F f) {
  if (a().flat()) return constant<T, X>(f);
  const AffineRow& by = b();
  AffineRow factor;
  factor.known = by.known;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const bool usable =
        by.is_flat(static_cast<int>(l)) && by.base[l] >= 0 && by.base[l] < kMostShift<T>;
    if (usable)
      factor.base[l] = std::int64_t{1} << by.base[l];
    else
      factor.known &= ~(1u << l);
  }
  put(affine_multiply(a(), factor), kBits<T>);
}

template <class T, class X, class F>
void SymbolicRules::bitwise(bool keeps_high, F f) {
  const AffineRow x = a(), y = b();
  constant<T, X>(f);
  if (x.flat() == y.flat()) return;
  const AffineRow &moving = x.flat() ? y : x, &fixed = x.flat() ? x : y;
  AffineRow row = out();
  for (std::size_t l = 0; l < kLanes; ++l) {
    const std::int64_t bits = fixed.base[l];
    if (!has_lane(x.known & y.known & mask_ & ~row.known, l) || bits < 0 || bits >= kMostBits)
      continue;
    const auto size =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bits) + 1));
    if (!moving.all_slopes(l, [size](std::int64_t slope) { return slope % size == 0; })) {
      if (values_.split_by_residue(moving, l, size, kMostResidues)) return;
      continue;
    }
    const std::int64_t low = moving.base[l] & (size - 1);
    row.base[l] = as_signed<T>(f(static_cast<X>(low), static_cast<X>(bits)));
    row.known |= 1u << l;
    if (!keeps_high) continue;
    row.base[l] += moving.base[l] - low;
    row.moving |= moving.moving;
    for (const std::size_t d : dimensions_in(moving.moving)) row.slope[d][l] = moving.slope[d][l];
  }
  put(std::move(row), kBits<T>);
}

template <class T, class X, class F>
void SymbolicRules::conjunction(F f) {
  bitwise<T, X>(false, f);
}
template <class T, class X, class F>
void SymbolicRules::disjunction(F f) {
  bitwise<T, X>(true, f);
}
template <class T, class X, class F>
void SymbolicRules::exclusive(F f) {
  bitwise<T, X>(true, f);
}

// ---- quotients ----

bool SymbolicRules::divide_lane(const AffineRow& a, std::int64_t divisor, std::size_t l,
                                Division what, bool negative_too, AffineRow& out) {
  const Interval r = a.range(box_, static_cast<int>(l));
  if (divisor <= 0 || (r.low < 0 && !negative_too)) return false;
  // Most divisors are powers of two, which need no division.
  const bool is_power = std::has_single_bit(static_cast<std::uint64_t>(divisor));
  const int shift = std::countr_zero(static_cast<std::uint64_t>(divisor));
  const auto floor = [=](std::int64_t x) {
    return is_power ? x >> shift : x / divisor - (x % divisor < 0 ? 1 : 0);
  };
  const bool divides = a.all_slopes(l, [=](std::int64_t slope) {
    return is_power ? (slope & (divisor - 1)) == 0 : slope % divisor == 0;
  });
  if (divides) {
    const std::int64_t quotient = floor(a.base[l]);
    out.base[l] = what == Division::quotient ? quotient : a.base[l] - quotient * divisor;
    for (const std::size_t d : dimensions_in(a.moving))
      out.slope[d][l] = what == Division::quotient ? floor(a.slope[d][l]) : 0;
    return true;
  }
  const std::int64_t quotient = floor(r.low);
  if (quotient == floor(r.high)) {
    out.base[l] = what == Division::quotient ? quotient : a.base[l] - quotient * divisor;
    for (const std::size_t d : dimensions_in(a.moving))
      out.slope[d][l] = what == Division::quotient ? 0 : a.slope[d][l];
    return true;
  }
  if (values_.split_by_residue(a, l, divisor, floor(r.high) - quotient + 1)) return false;
  AffineRow difference = a;
  difference.base[l] -= (quotient + 1) * divisor;
  values_.split(decide_less(difference, box_, static_cast<int>(l)));
  return false;
}

template <class T, class F>
void SymbolicRules::divide(Division what, bool by_power, F f) {
  const AffineRow &x = a(), &y = b();
  AffineRow row;
  row.moving = x.moving;
  for (std::size_t l = 0; l < kLanes && !values_.stopped(); ++l) {
    if (!has_lane(x.known & y.known & mask_, l) || !y.is_flat(static_cast<int>(l))) continue;
    std::int64_t divisor = y.base[l];
    if (by_power)
      divisor = divisor >= 0 && divisor < kMostShift<T> ? std::int64_t{1} << divisor : 0;
    // An arithmetic shift rounds down for negative numbers too; a signed division does not.
    if (divide_lane(x, divisor, l, what, by_power && std::is_signed_v<T>, row))
      row.known |= 1u << l;
  }
  // Negative or unsigned-large operands without a block in them: plain arithmetic.
  if (x.flat() && y.flat() && row.known != mask_) return constant<T, T>(f);
  put(row, kBits<T>);
}

template <class T, class X, class F>
void SymbolicRules::shift_right(F f) {
  divide<T>(Division::quotient, true, f);
}
template <class T, class X, class F>
void SymbolicRules::quotient(F f) {
  divide<T>(Division::quotient, false, f);
}
template <class T, class X, class F>
void SymbolicRules::remainder(F f) {
  divide<T>(Division::remainder, false, f);
}

// ---- extremes ----

template <class T>
void SymbolicRules::extreme(bool smaller) {
  const AffineRow x = a(), y = b();
  const AffineRow difference = difference_of<T>(x, y, box_);
  LaneMask x_less = 0, known = difference.known & mask_;
  for (int lane = 0; lane < kLanes && !values_.stopped(); ++lane) {
    if ((known >> lane & 1) == 0) continue;
    if (!std::is_signed_v<T> && (x.range(box_, lane).low < 0 || y.range(box_, lane).low < 0))
      known &= ~(1u << lane);
    else if (const Decision d = decide_less(difference, box_, lane);
             d.kind == Decision::Kind::split)
      values_.split(d);
    else if (d.kind == Decision::Kind::yes)
      x_less |= 1u << lane;
  }
  AffineRow row = affine_select(smaller ? x_less : ~x_less, x, y);
  row.known &= known;
  put(std::move(row), kBits<T>);
}

template <class T, class X, class F>
void SymbolicRules::minimum(F) {
  extreme<T>(true);
}
template <class T, class X, class F>
void SymbolicRules::maximum(F) {
  extreme<T>(false);
}

// ---- from one operand ----

template <class T, class X, class F>
void SymbolicRules::same(F) {
  out() = a();
}

template <class T, class X, class F>
void SymbolicRules::zero_extended(F f) {
  AffineRow row = a();
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    if (row.is_flat(lane))
      row.base[l] = as_signed<T>(f(static_cast<X>(row.base[l])));
    else if (row.range(box_, lane).low < 0)
      row.known &= ~(1u << lane);
  }
  out() = row;
}

template <class T, class X, class F>
void SymbolicRules::narrow(unsigned bits, F f) {
  AffineRow row = a();
  for (std::size_t l = 0; l < kLanes; ++l)
    if (row.is_flat(static_cast<int>(l)))
      row.base[l] = as_signed<T>(f(static_cast<X>(row.base[l])));
  put(std::move(row), bits);
}
template <class T, class X, class F>
void SymbolicRules::narrowed8(F f) {
  narrow<T, X>(8, f);
}
template <class T, class X, class F>
void SymbolicRules::narrowed16(F f) {
  narrow<T, X>(16, f);
}
template <class T, class X, class F>
void SymbolicRules::narrowed32(F f) {
  narrow<T, X>(32, f);
}

template <class T, class X, class F>
void SymbolicRules::bit(F f) {
  const SymbolicPredicate& from = predicate(op_.a);
  AffineRow row;
  row.known = from.known;
  for (std::size_t l = 0; l < kLanes; ++l)
    row.base[l] = as_signed<T>(f(static_cast<T>(from.value >> l & 1)));
  out() = row;
}

// ---- comparisons ----

template <class T, class F>
void SymbolicRules::compare(Compare what, F f) {
  const AffineRow &x = a(), &y = b();
  const bool equality = what == Compare::equal || what == Compare::not_equal;
  const bool swap = what == Compare::less_equal;  // x <= y is !(y < x)
  const AffineRow difference = swap ? difference_of<T>(y, x, box_) : difference_of<T>(x, y, box_);
  SymbolicPredicate result;
  for (int lane = 0; lane < kLanes && !values_.stopped(); ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    if (!has_lane(difference.known & mask_, l)) continue;
    bool holds;
    if (!equality && !std::is_signed_v<T> &&
        (x.range(box_, lane).low < 0 || y.range(box_, lane).low < 0)) {
      if (!x.is_flat(lane) || !y.is_flat(lane)) continue;
      holds = f(static_cast<T>(x.base[l]), static_cast<T>(y.base[l]));
    } else {
      const Decision d =
          equality ? decide_equal(difference, box_, lane) : decide_less(difference, box_, lane);
      if (d.kind == Decision::Kind::split) return values_.split(d);
      values_.note(difference, lane);
      holds = (d.kind == Decision::Kind::yes) != (what == Compare::not_equal || swap);
    }
    result.known |= 1u << lane;
    result.value |= static_cast<LaneMask>(holds) << lane;
  }
  put(result);
}

template <class T, class X, class F>
void SymbolicRules::equal(F f) {
  compare<X>(Compare::equal, f);
}
template <class T, class X, class F>
void SymbolicRules::not_equal(F f) {
  compare<X>(Compare::not_equal, f);
}
template <class T, class X, class F>
void SymbolicRules::less(F f) {
  compare<X>(Compare::less, f);
}
template <class T, class X, class F>
void SymbolicRules::less_equal(F f) {
  compare<X>(Compare::less_equal, f);
}

template <class T, class X, class F>
void SymbolicRules::parity(F f) {
  const AffineRow& row = a();
  SymbolicPredicate result;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const bool even = row.all_slopes(l, [](std::int64_t slope) { return slope % 2 == 0; });
    if (!has_lane(row.known, l)) continue;
    if (!even) {
      if (has_lane(mask_, l) && values_.split_by_residue(row, l, 2, kMostResidues)) return;
      continue;
    }
    result.known |= 1u << l;
    result.value |= static_cast<LaneMask>(f(static_cast<X>(row.base[l]))) << l;
  }
  put(result);
}

// ---- predicates: computed with each unknown bit as 0 and as 1; known where that gives the same ----

template <class F>
void SymbolicRules::logic1(F f) {
  const SymbolicPredicate x = predicate(op_.a);
  const LaneMask low = f(x.value), high = f(x.value | ~x.known);
  put({low, ~(low ^ high)});
}

template <class F>
void SymbolicRules::logic2(F f) {
  const SymbolicPredicate x = predicate(op_.a), y = predicate(op_.b);
  const LaneMask first = f(x.value, y.value);
  LaneMask differ = 0;
  for (const LaneMask bits : {x.value, x.value | ~x.known})
    for (const LaneMask other : {y.value, y.value | ~y.known}) differ |= f(bits, other) ^ first;
  put({first, ~differ});
}

template <class T>
void SymbolicRules::select() {
  const SymbolicPredicate c = predicate(op_.a);
  if constexpr (std::is_same_v<T, bool>) {
    const SymbolicPredicate yes = predicate(op_.b), no = predicate(op_.c);
    put({(c.value & yes.value) | (~c.value & no.value),
         c.known & ((c.value & yes.known) | (~c.value & no.known))});
  } else {
    AffineRow row = affine_select(c.value, b(), values_.rows_[op_.c]);
    row.known &= c.known;
    out() = row;
  }
}

template <class T>
void SymbolicRules::masked_copy() {
  if constexpr (std::is_same_v<T, bool>) {
    const SymbolicPredicate from = predicate(op_.a), old = predicate(op_.dst);
    put({(from.value & mask_) | (old.value & ~mask_), (from.known & mask_) | (old.known & ~mask_)});
  } else {
    out() = affine_select(mask_, a(), out());
  }
}

// ---- every operation ----

void SymbolicValues::execute(const Op& op, LaneMask mask) {
  using namespace lane;
  SymbolicRules rules(*this, op, mask);
  switch (op.code) {
#define LANESCOPE_UNARY(NAME, TO, FROM, EXPR, RULE)                                                \
  case Code::NAME:                                                                                 \
    return rules.RULE<TO, FROM>([](FROM x) { return static_cast<TO>(EXPR); });
#define LANESCOPE_BINARY(NAME, TO, FROM, EXPR, RULE)                                               \
  case Code::NAME:                                                                                 \
    return rules.RULE<TO, FROM>([](FROM x, FROM y) { return static_cast<TO>(EXPR); });
#define LANESCOPE_TERNARY(NAME, TO, FROM, EXPR, RULE)                                              \
  case Code::NAME:                                                                                 \
    return rules.RULE<TO, FROM>([](FROM x, FROM y, FROM z) { return static_cast<TO>(EXPR); });
#define LANESCOPE_COMPARE(NAME, FROM, EXPR, RULE)                                                  \
  case Code::NAME:                                                                                 \
    return rules.RULE<bool, FROM>([](FROM x, FROM y) { return static_cast<bool>(EXPR); });
#define LANESCOPE_TEST(NAME, FROM, EXPR, RULE)                                                     \
  case Code::NAME:                                                                                 \
    return rules.RULE<bool, FROM>([](FROM x) { return static_cast<bool>(EXPR); });
#define LANESCOPE_WIDEN(NAME, TO, EXPR, RULE)                                                      \
  case Code::NAME:                                                                                 \
    return rules.RULE<TO, bool>([](TO x) { return static_cast<TO>(EXPR); });
#define LANESCOPE_LOGIC1(NAME, EXPR)                                                               \
  case Code::NAME:                                                                                 \
    return rules.logic1([](LaneMask x) { return LaneMask{EXPR}; });
#define LANESCOPE_LOGIC2(NAME, EXPR)                                                               \
  case Code::NAME:                                                                                 \
    return rules.logic2([](LaneMask x, LaneMask y) { return LaneMask{EXPR}; });
#define LANESCOPE_SELECT(NAME, T)                                                                  \
  case Code::NAME:                                                                                 \
    return rules.select<T>();
#define LANESCOPE_MASKED(NAME, T)                                                                  \
  case Code::NAME:                                                                                 \
    return rules.masked_copy<T>();
#include "lower/operations.def"

  case Code::lea:
    rows_[op.dst] = address(code_.refs[op.a]);
    return;
  case Code::activemask:
    rows_[op.dst] =
        affine_select(mask, AffineRow::constant(static_cast<std::int32_t>(mask)), rows_[op.dst]);
    return;
  case Code::ballot:
  case Code::match_any:
  case Code::reduce:
  case Code::shuffle32:
  case Code::shuffle64:
  case Code::multiply:
  case Code::group_multiply:
  case Code::clock:
    return forget(op);
  // Who waits goes on when the others have come; that they do is for those to see who execute a block.
  case Code::mbarrier_wait:
    rows_[op.dst] = affine_select(mask, AffineRow::constant(1), rows_[op.dst]);
    return;
  case Code::barrier_part:
  case Code::bulk_copy:
  case Code::whole_warp:
  case Code::syncwarp:
  case Code::scope_begin:
  case Code::scope_end:
  case Code::heap_taken:
  case Code::heap_freed:
  case Code::assign32:
  case Code::assign64:
  case Code::assign_p:
    return;
  case Code::barrier_count:
    return fail("a barrier that counts depends on data");
  case Code::print:
    return fail("the kernel prints");
  case Code::trap:
    return fail("the kernel reaches something the simulator cannot execute");
  case Code::load:
  case Code::store:
  case Code::atomic:
  case Code::barrier:
  case Code::grid_barrier:
  case Code::jump:
  case Code::branch:
  case Code::exit:
    return fail("control flow or memory in the middle of a computation");
  }
}

}  // namespace lanescope
