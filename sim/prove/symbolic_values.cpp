#include "prove/symbolic_values.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace lanescope {
namespace {

constexpr std::int64_t kMostResidues = 65;  // a mask's remainders are worth fewer classes than this

std::int64_t sign_extend(std::uint64_t bits, unsigned width) {
  return width >= 64 ? static_cast<std::int64_t>(bits)
                     : static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}
std::uint64_t low_bits(std::int64_t value, unsigned width) {
  return width >= 64 ? static_cast<std::uint64_t>(value)
                     : static_cast<std::uint64_t>(value) & ((1ull << width) - 1);
}

}  // namespace

SymbolicValues::SymbolicValues(const Machine& machine, const Box& box)
    : m_(machine), code_(*machine.code), box_(box), rows_(code_.rows + 2),
      predicates_(code_.predicates + 1) {
  // The machine's row file already holds the constants, the arguments and the launch's extents.
  const auto copy = [this](std::uint32_t row, bool wide) {
    AffineRow& to = rows_[row];
    const std::uint32_t* from = m_.rows + std::size_t{row} * kLanes;
    to.known = kAllLanes;
    for (std::size_t l = 0; l < kLanes; ++l)
      to.base[l] = wide ? static_cast<std::int64_t>(reinterpret_cast<const std::uint64_t*>(from)[l])
                        : static_cast<std::int32_t>(from[l]);
  };
  for (const ConstantRow& constant : code_.constants) copy(constant.row, constant.wide);
  for (const auto& [predicate, lanes] : code_.constant_predicates)
    predicates_[predicate] = {lanes, kAllLanes};
  for (const ArgumentRow& parameter : code_.arguments) {
    if (parameter.predicate)
      predicates_[parameter.row] = {m_.predicates[parameter.row], kAllLanes};
    else
      copy(parameter.row, parameter.wide);
  }
  for (const SpecialRow& special : code_.specials) {
    const auto what = static_cast<int>(special.what), first = static_cast<int>(Special::ctaid_x);
    if (what < first || what > first + 2) {
      copy(special.row, false);
      continue;
    }
    AffineRow& row = rows_[special.row];
    row.known = kAllLanes;
    row.flat = false;
    const auto d = static_cast<std::size_t>(what - first);
    row.base.fill(box_.first[d]);
    row.slope[d].fill(box_.stride[d]);
  }
}

void SymbolicValues::fail(const char* reason) {
  if (!stopped()) outcome_.kind = SymbolicOutcome::Kind::failed, outcome_.reason = reason;
}

void SymbolicValues::split(const Decision& decision) {
  if (stopped()) return;
  const auto d = static_cast<std::size_t>(decision.dimension);
  if (decision.kind != Decision::Kind::split || decision.position <= box_.low[d] ||
      decision.position > box_.high[d])
    return fail("a condition cannot be decided");
  outcome_ = {SymbolicOutcome::Kind::split, decision.dimension, decision.position, {}};
}

bool SymbolicValues::split_by_residue(const AffineRow& row, std::size_t lane, std::int64_t divisor,
                                      std::int64_t parts) {
  for (std::size_t d = 0; d < 3 && !stopped(); ++d) {
    const std::int64_t slope = row.slope[d][lane];
    if (slope % divisor == 0 || box_.low[d] == box_.high[d]) continue;
    const std::int64_t modulus = divisor / std::gcd(slope, divisor);
    if (modulus >= parts || modulus > box_.high[d] - box_.low[d] + 1) return false;
    outcome_ = {SymbolicOutcome::Kind::residues, static_cast<int>(d), modulus, {}};
  }
  return stopped();
}

void SymbolicValues::load_kept(const std::vector<AffineRow>& rows,
                               const std::vector<SymbolicPredicate>& predicates) {
  std::copy(rows.begin(), rows.end(), rows_.begin());
  std::copy(predicates.begin(), predicates.end(), predicates_.begin());
}

void SymbolicValues::save_kept(std::vector<AffineRow>& rows,
                               std::vector<SymbolicPredicate>& predicates) const {
  std::copy_n(rows_.begin(), rows.size(), rows.begin());
  std::copy_n(predicates_.begin(), predicates.size(), predicates.begin());
}

void SymbolicValues::set_threads(std::uint32_t warp) {
  const std::uint32_t* threads = m_.thread_rows.data() + std::size_t{warp} * 3 * kLanes;
  for (const SpecialRow& special : code_.specials) {
    AffineRow& row = rows_[special.row];
    const auto axis = static_cast<std::size_t>(special.what);
    if (axis < 3)
      for (std::size_t l = 0; l < kLanes; ++l) row.base[l] = threads[axis * kLanes + l];
    if (special.what == Special::warpid) row.base.fill(warp);
    if (axis < 3 || special.what == Special::warpid) row.known = kAllLanes;
  }
}

LaneMask SymbolicValues::decided(std::uint32_t predicate, LaneMask mask) {
  const SymbolicPredicate& p = predicates_[predicate];
  if ((mask & ~p.known) != 0)
    fail("a branch depends on loaded data, or on a value that is not affine in blockIdx");
  return p.value & mask;
}

bool SymbolicValues::names_itself(std::uint32_t row, LaneMask mask) const {
  const AffineRow& masks = rows_[row];
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if ((masks.known >> lane & 1) == 0 || !masks.is_flat(lane) || (masks.at(lane) >> lane & 1) == 0)
      return false;
  }
  return true;
}

AffineRow SymbolicValues::address(const MemRef& ref) const {
  AffineRow out = AffineRow::constant(ref.constant);
  if (ref.base != kNone) out = affine_add(out, rows_[ref.base], 1);
  for (const MemTerm& term : ref.terms) {
    AffineRow index = rows_[term.row];
    if (term.kind == MemTerm::Kind::u32)
      for (int lane = 0; lane < kLanes; ++lane)
        if (index.range(box_, lane).low < 0) index.known &= ~(1u << lane);
    out = affine_add(out, affine_multiply(AffineRow::constant(term.scale), index), 1);
  }
  return out;
}

void SymbolicValues::set_loaded(const MemRef& ref, const Region& region, const AffineRow& address,
                                LaneMask mask) {
  const bool readable = ref.space == MemorySpace::constant &&
                        region.space == MemorySpace::constant && address.flat &&
                        !ref.predicate_value;
  for (std::uint32_t c = 0; c < std::max<std::uint32_t>(ref.components, 1); ++c) {
    if (ref.value[c] == kNone) continue;
    if (ref.predicate_value) {
      predicates_[ref.value[c]] = {};
      continue;
    }
    AffineRow row = AffineRow::unknown();
    for (std::size_t l = 0; readable && l < kLanes; ++l) {
      if ((mask >> l & 1) == 0) continue;
      std::uint64_t bits = 0;
      std::memcpy(&bits,
                  region.data + (static_cast<std::uint64_t>(address.base[l]) - region.base) +
                      std::uint64_t{c} * ref.component_bytes,
                  ref.component_bytes);
      row.base[l] = ref.component_bytes < 4 ? static_cast<std::int64_t>(bits)
                                            : sign_extend(bits, ref.component_bytes * 8u);
      row.known |= 1u << l;
    }
    rows_[ref.value[c]] = row;
  }
}

void SymbolicValues::put(std::uint32_t row, AffineRow value, unsigned bits, LaneMask mask) {
  value.keep_fitting(box_, bits, mask);
  rows_[row] = std::move(value);
}

// ---- operations ----

void SymbolicValues::execute(const Op& op, LaneMask mask) {
  if (execute_integer(op, mask) || execute_compare(op, mask) || execute_predicate(op, mask) ||
      execute_move(op, mask))
    return;
  switch (op.code) {
  case Code::trap:
    return fail("the kernel reaches something the simulator cannot execute");
  case Code::print:
    return fail("the kernel prints");
  case Code::barrier_count:
    return fail("a barrier that counts depends on data");
  case Code::syncwarp:
    return;
  case Code::activemask:
    return put(op.dst, AffineRow::constant(static_cast<std::int32_t>(mask)), 32, mask);
  default:
    // Floating-point and the rest: whatever they give, it is data.
    if (op.dst != kNone && op.dst < rows_.size()) rows_[op.dst] = AffineRow::unknown();
  }
}

template <class F>
void SymbolicValues::flat_bits(const Op& op, unsigned bits, LaneMask mask, F&& f) {
  const AffineRow &a = rows_[op.a], &b = rows_[op.b];
  AffineRow out;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const int lane = static_cast<int>(l);
    if (((a.known & b.known & mask) >> l & 1) == 0 || !a.is_flat(lane) || !b.is_flat(lane))
      continue;
    out.base[l] = sign_extend(
        low_bits(static_cast<std::int64_t>(f(low_bits(a.base[l], bits), low_bits(b.base[l], bits))),
                 bits),
        bits);
    out.known |= 1u << l;
  }
  rows_[op.dst] = out;
}

void SymbolicValues::bit_and(const Op& op, unsigned bits, LaneMask mask) {
  const AffineRow a = rows_[op.a], b = rows_[op.b];
  flat_bits(op, bits, mask, [](std::uint64_t x, std::uint64_t y) { return x & y; });
  if (a.flat && b.flat) return;
  // x & (2^k − 1) where the block moves x by multiples of 2^k only.
  const AffineRow &moving = a.flat ? b : a, &fixed = a.flat ? a : b;
  AffineRow& out = rows_[op.dst];
  for (std::size_t l = 0; l < kLanes && fixed.flat; ++l) {
    const std::int64_t low = fixed.base[l];
    if (((a.known & b.known & mask & ~out.known) >> l & 1) == 0 || low < 0 ||
        (low & (low + 1)) != 0)
      continue;
    const bool keeps = std::all_of(moving.slope.begin(), moving.slope.end(),
                                   [&](const auto& slope) { return (slope[l] & low) == 0; });
    if (!keeps) {
      if (split_by_residue(moving, l, low + 1, kMostResidues)) return;
      continue;
    }
    out.base[l] = moving.base[l] & low;
    out.known |= 1u << l;
  }
}

void SymbolicValues::shift_left(const Op& op, unsigned bits, LaneMask mask) {
  const AffineRow& by = rows_[op.b];
  AffineRow factor;
  factor.known = by.known;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const bool usable = by.is_flat(static_cast<int>(l)) && by.base[l] >= 0 &&
                        by.base[l] < static_cast<std::int64_t>(std::min(bits, 62u));
    if (usable)
      factor.base[l] = std::int64_t{1} << by.base[l];
    else
      factor.known &= ~(1u << l);
  }
  const AffineRow product = affine_multiply(rows_[op.a], factor);
  if (product.flat)
    return flat_bits(op, bits, mask,
                     [bits](std::uint64_t x, std::uint64_t y) { return y < bits ? x << y : 0; });
  put(op.dst, product, bits, mask);
}

bool SymbolicValues::divide_lane(const AffineRow& a, std::int64_t divisor, std::size_t l,
                                 Division what, bool negative_too, AffineRow& out) {
  const int lane = static_cast<int>(l);
  const Interval r = a.range(box_, lane);
  if (divisor <= 0 || (r.low < 0 && !negative_too)) return false;
  const auto floor = [divisor](std::int64_t x) {
    return x >= 0 ? x / divisor : -((-x + divisor - 1) / divisor);
  };
  const bool divides = std::all_of(a.slope.begin(), a.slope.end(),
                                   [&](const auto& slope) { return slope[l] % divisor == 0; });
  if (divides) {
    const std::int64_t quotient = floor(a.base[l]);
    out.base[l] = what == Division::quotient ? quotient : a.base[l] - quotient * divisor;
    for (std::size_t d = 0; d < 3; ++d)
      out.slope[d][l] = what == Division::quotient ? a.slope[d][l] / divisor : 0;
    return true;
  }
  const std::int64_t quotient = floor(r.low);
  if (quotient == floor(r.high)) {
    out.base[l] = what == Division::quotient ? quotient : a.base[l] - quotient * divisor;
    for (std::size_t d = 0; d < 3; ++d)
      out.slope[d][l] = what == Division::quotient ? 0 : a.slope[d][l];
    return true;
  }
  if (split_by_residue(a, l, divisor, floor(r.high) - quotient + 1)) return false;
  AffineRow difference = a;
  difference.base[l] -= (quotient + 1) * divisor;
  split(decide_less(difference, box_, lane));
  return false;
}

// Quotients and remainders by a fixed positive number; `by_power`: a shift right by a fixed count.
void SymbolicValues::divide(const Op& op, unsigned bits, LaneMask mask, Division what,
                            bool by_power, bool is_signed) {
  const AffineRow a = rows_[op.a], b = rows_[op.b];
  AffineRow out;
  out.flat = a.flat;
  for (std::size_t l = 0; l < kLanes && !stopped(); ++l) {
    if (((a.known & b.known & mask) >> l & 1) == 0 || !b.is_flat(static_cast<int>(l))) continue;
    std::int64_t divisor = b.base[l];
    if (by_power)
      divisor = divisor >= 0 && divisor < static_cast<std::int64_t>(std::min(bits, 62u))
                    ? std::int64_t{1} << divisor
                    : 0;
    // An arithmetic shift rounds down for negative numbers too; a signed division does not.
    if (divide_lane(a, divisor, l, what, by_power && is_signed, out)) out.known |= 1u << l;
  }
  if (a.flat && b.flat && out.known != mask) {
    // Negative or unsigned-large operands without a block in them: plain arithmetic.
    const auto plain = [&](std::uint64_t x, std::uint64_t y) -> std::uint64_t {
      const std::int64_t sx = sign_extend(x, bits), sy = sign_extend(y, bits);
      if (by_power)
        return y >= bits   ? (is_signed && sx < 0 ? ~0ull : 0)
               : is_signed ? static_cast<std::uint64_t>(sx >> y)
                           : x >> y;
      if (y == 0) return what == Division::quotient ? ~0ull : x;
      if (!is_signed) return what == Division::quotient ? x / y : x % y;
      if (sy == -1) return what == Division::quotient ? 0 - x : 0;
      return static_cast<std::uint64_t>(what == Division::quotient ? sx / sy : sx % sy);
    };
    return flat_bits(op, bits, mask, plain);
  }
  put(op.dst, out, bits, mask);
}

void SymbolicValues::extreme(const Op& op, unsigned bits, LaneMask mask, bool is_signed,
                             bool smaller) {
  const AffineRow a = rows_[op.a], b = rows_[op.b];
  const AffineRow difference = affine_add(a, b, -1);
  LaneMask a_less = 0, known = difference.known;
  for (int lane = 0; lane < kLanes && !stopped(); ++lane) {
    if (((known & mask) >> lane & 1) == 0) continue;
    if (!is_signed && (a.range(box_, lane).low < 0 || b.range(box_, lane).low < 0))
      known &= ~(1u << lane);
    else if (const Decision d = decide_less(difference, box_, lane);
             d.kind == Decision::Kind::split)
      split(d);
    else if (d.kind == Decision::Kind::yes)
      a_less |= 1u << lane;
  }
  AffineRow out = affine_select(smaller ? a_less : ~a_less, a, b);
  out.known &= known;
  put(op.dst, out, bits, mask);
}

bool SymbolicValues::execute_integer(const Op& op, LaneMask mask) {
  const auto add = [&](unsigned bits, std::int64_t sign) {
    const AffineRow sum = affine_add(rows_[op.a], rows_[op.b], sign);
    if (sum.flat)
      return flat_bits(op, bits, mask, [sign](std::uint64_t x, std::uint64_t y) {
        return sign > 0 ? x + y : x - y;
      });
    put(op.dst, sum, bits, mask);
  };
  const auto multiply = [&](unsigned bits) {
    const AffineRow product = affine_multiply(rows_[op.a], rows_[op.b]);
    if (product.flat)
      return flat_bits(op, bits, mask, [](std::uint64_t x, std::uint64_t y) { return x * y; });
    put(op.dst, product, bits, mask);
  };
#define LANESCOPE_BOTH(NAME, ...)                                                                  \
  case Code::NAME##32: {                                                                           \
    constexpr unsigned bits = 32;                                                                  \
    __VA_ARGS__;                                                                                   \
    return true;                                                                                   \
  }                                                                                                \
  case Code::NAME##64: {                                                                           \
    constexpr unsigned bits = 64;                                                                  \
    __VA_ARGS__;                                                                                   \
    return true;                                                                                   \
  }
  switch (op.code) {
    LANESCOPE_BOTH(add, add(bits, 1))
    LANESCOPE_BOTH(sub, add(bits, -1))
    LANESCOPE_BOTH(mul, multiply(bits))
    LANESCOPE_BOTH(and, bit_and(op, bits, mask))
    LANESCOPE_BOTH(
        or, flat_bits(op, bits, mask, [](std::uint64_t x, std::uint64_t y) { return x | y; }))
    LANESCOPE_BOTH(
        xor, flat_bits(op, bits, mask, [](std::uint64_t x, std::uint64_t y) { return x ^ y; }))
    LANESCOPE_BOTH(shl, shift_left(op, bits, mask))
    LANESCOPE_BOTH(lshr, divide(op, bits, mask, Division::quotient, true, false))
    LANESCOPE_BOTH(ashr, divide(op, bits, mask, Division::quotient, true, true))
    LANESCOPE_BOTH(udiv, divide(op, bits, mask, Division::quotient, false, false))
    LANESCOPE_BOTH(sdiv, divide(op, bits, mask, Division::quotient, false, true))
    LANESCOPE_BOTH(urem, divide(op, bits, mask, Division::remainder, false, false))
    LANESCOPE_BOTH(srem, divide(op, bits, mask, Division::remainder, false, true))
    LANESCOPE_BOTH(smin, extreme(op, bits, mask, true, true))
    LANESCOPE_BOTH(smax, extreme(op, bits, mask, true, false))
    LANESCOPE_BOTH(umin, extreme(op, bits, mask, false, true))
    LANESCOPE_BOTH(umax, extreme(op, bits, mask, false, false))
  default:
    return false;
  }
#undef LANESCOPE_BOTH
}

void SymbolicValues::compare(const Op& op, LaneMask mask, Compare what, bool is_signed,
                             unsigned bits) {
  const AffineRow a = rows_[op.a], b = rows_[op.b];
  const bool swap = what == Compare::less_equal;  // a <= b is !(b < a)
  const AffineRow difference = swap ? affine_add(b, a, -1) : affine_add(a, b, -1);
  SymbolicPredicate out;
  for (int lane = 0; lane < kLanes && !stopped(); ++lane) {
    const auto l = static_cast<std::size_t>(lane);
    if (((difference.known & mask) >> lane & 1) == 0) continue;
    bool holds;
    if (what != Compare::equal && what != Compare::not_equal && !is_signed &&
        (a.range(box_, lane).low < 0 || b.range(box_, lane).low < 0)) {
      if (!a.is_flat(lane) || !b.is_flat(lane)) continue;
      const std::uint64_t x = low_bits(a.base[l], bits), y = low_bits(b.base[l], bits);
      holds = swap ? y < x : x < y;
    } else {
      const bool equality = what == Compare::equal || what == Compare::not_equal;
      const Decision d =
          equality ? decide_equal(difference, box_, lane) : decide_less(difference, box_, lane);
      if (d.kind == Decision::Kind::split) return split(d);
      holds = d.kind == Decision::Kind::yes;
    }
    if (what == Compare::not_equal || swap) holds = !holds;
    out.known |= 1u << lane;
    out.value |= static_cast<LaneMask>(holds) << lane;
  }
  predicates_[op.dst] = out;
}

bool SymbolicValues::execute_compare(const Op& op, LaneMask mask) {
#define LANESCOPE_BOTH(NAME, WHAT, SIGNED)                                                         \
  case Code::NAME##32:                                                                             \
    return compare(op, mask, Compare::WHAT, SIGNED, 32), true;                                     \
  case Code::NAME##64:                                                                             \
    return compare(op, mask, Compare::WHAT, SIGNED, 64), true;
#define LANESCOPE_DATA(NAME)                                                                       \
  case Code::NAME##f32:                                                                            \
  case Code::NAME##f64:                                                                            \
    return predicates_[op.dst] = {}, true;
  switch (op.code) {
    LANESCOPE_BOTH(eq, equal, true)
    LANESCOPE_BOTH(ne, not_equal, true)
    LANESCOPE_BOTH(slt, less, true)
    LANESCOPE_BOTH(sle, less_equal, true)
    LANESCOPE_BOTH(ult, less, false)
    LANESCOPE_BOTH(ule, less_equal, false)
    LANESCOPE_DATA(oeq)
    LANESCOPE_DATA(olt)
    LANESCOPE_DATA(ole) LANESCOPE_DATA(one) LANESCOPE_DATA(ord) default : return false;
  }
#undef LANESCOPE_BOTH
#undef LANESCOPE_DATA
}

bool SymbolicValues::execute_predicate(const Op& op, LaneMask mask) {
  const auto at = [this](std::uint32_t i) { return predicates_[i]; };
  switch (op.code) {
  case Code::p_and:
    predicates_[op.dst] = {at(op.a).value & at(op.b).value, (at(op.a).known & at(op.b).known) |
                                                                (at(op.a).known & ~at(op.a).value) |
                                                                (at(op.b).known & ~at(op.b).value)};
    break;
  case Code::p_or:
    predicates_[op.dst] = {at(op.a).value | at(op.b).value, (at(op.a).known & at(op.b).known) |
                                                                (at(op.a).known & at(op.a).value) |
                                                                (at(op.b).known & at(op.b).value)};
    break;
  case Code::p_xor:
    predicates_[op.dst] = {at(op.a).value ^ at(op.b).value, at(op.a).known & at(op.b).known};
    break;
  case Code::p_not:
    predicates_[op.dst] = {~at(op.a).value, at(op.a).known};
    break;
  case Code::p_copy:
    predicates_[op.dst] = at(op.a);
    break;
  case Code::p_select: {
    const SymbolicPredicate c = at(op.a), yes = at(op.b), no = at(op.c);
    predicates_[op.dst] = {(c.value & yes.value) | (~c.value & no.value),
                           c.known & ((c.value & yes.known) | (~c.value & no.known))};
    break;
  }
  case Code::masked_copy_p: {
    const SymbolicPredicate from = at(op.a), old = at(op.dst);
    predicates_[op.dst] = {(from.value & mask) | (old.value & ~mask),
                           (from.known & mask) | (old.known & ~mask)};
    break;
  }
  case Code::p_zext32: {
    AffineRow row;
    row.known = at(op.a).known;
    for (std::size_t l = 0; l < kLanes; ++l) row.base[l] = at(op.a).value >> l & 1;
    rows_[op.dst] = row;
    break;
  }
  case Code::p_test32: {
    const AffineRow& row = rows_[op.a];
    SymbolicPredicate out;
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      const bool even = std::all_of(row.slope.begin(), row.slope.end(),
                                    [l](const auto& slope) { return slope[l] % 2 == 0; });
      if ((row.known >> lane & 1) == 0 || !even) continue;
      out.known |= 1u << lane;
      out.value |= static_cast<LaneMask>(row.base[l] & 1) << lane;
    }
    predicates_[op.dst] = out;
    break;
  }
  default:
    return false;
  }
  // Where a predicate is unknown its bit is 0.
  if (op.code != Code::p_zext32) predicates_[op.dst].value &= predicates_[op.dst].known;
  return true;
}

bool SymbolicValues::execute_move(const Op& op, LaneMask mask) {
  const auto narrowed = [&](unsigned bits) {
    AffineRow row = rows_[op.a];
    for (std::size_t l = 0; l < kLanes; ++l)
      if (row.is_flat(static_cast<int>(l)))
        row.base[l] = sign_extend(low_bits(row.base[l], bits), bits);
    put(op.dst, row, bits, mask);
  };
  switch (op.code) {
  case Code::copy32:
  case Code::copy64:
    rows_[op.dst] = rows_[op.a];
    return true;
  case Code::masked_copy32:
  case Code::masked_copy64:
    rows_[op.dst] = affine_select(mask, rows_[op.a], rows_[op.dst]);
    return true;
  case Code::select32:
  case Code::select64: {
    const SymbolicPredicate c = predicates_[op.a];
    AffineRow out = affine_select(c.value, rows_[op.b], rows_[op.c]);
    out.known &= c.known;
    rows_[op.dst] = out;
    return true;
  }
  case Code::sext64:
    rows_[op.dst] = rows_[op.a];
    return true;
  case Code::zext64: {
    AffineRow out = rows_[op.a];
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      if (out.is_flat(lane))
        out.base[l] = static_cast<std::int64_t>(low_bits(out.base[l], 32));
      else if (out.range(box_, lane).low < 0)
        out.known &= ~(1u << lane);
    }
    rows_[op.dst] = out;
    return true;
  }
  case Code::trunc32:
    return narrowed(32), true;
  case Code::sext8:
    return narrowed(8), true;
  case Code::sext16:
    return narrowed(16), true;
  case Code::lea:
    rows_[op.dst] = address(code_.refs[op.a]);
    return true;
  default:
    return false;
  }
}

}  // namespace lanescope
