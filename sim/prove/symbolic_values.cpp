#include "prove/symbolic_values.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace lanescope {
namespace {

std::int64_t sign_extend(std::uint64_t bits, unsigned width) {
  return width >= 64 ? static_cast<std::int64_t>(bits)
                     : static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
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
    const auto d = static_cast<std::size_t>(what - first);
    row.set_moving(d);
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
  for (std::size_t d = 0; d < kDimensions && !stopped(); ++d) {
    const std::int64_t slope = row.slope[d][lane];
    if (slope % divisor == 0 || box_.low[d] == box_.high[d]) continue;
    const std::int64_t modulus = divisor / std::gcd(slope, divisor);
    if (modulus >= parts || modulus > box_.high[d] - box_.low[d] + 1) return false;
    outcome_ = {SymbolicOutcome::Kind::residues, static_cast<int>(d), modulus, {}};
  }
  return stopped();
}

SymbolicSnapshot SymbolicValues::snapshot(const LoopBody& loop) const {
  SymbolicSnapshot values;
  values.rows.reserve(loop.rows.size());
  for (const std::uint32_t r : loop.rows) values.rows.push_back(rows_[r]);
  for (const std::uint32_t p : loop.predicates) values.predicates.push_back(predicates_[p]);
  return values;
}

void SymbolicValues::restore(const LoopBody& loop, const SymbolicSnapshot& values) {
  for (std::size_t i = 0; i < loop.rows.size(); ++i) rows_[loop.rows[i]] = values.rows[i];
  for (std::size_t i = 0; i < loop.predicates.size(); ++i)
    predicates_[loop.predicates[i]] = values.predicates[i];
}

void SymbolicValues::begin_warp(std::uint32_t warp) {
  for (std::uint32_t r = 0; r < code_.kept_rows; ++r) clear(rows_[r]);
  for (std::uint32_t p = 0; p < code_.kept_predicates; ++p) predicates_[p] = {};
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
                        region.space == MemorySpace::constant && address.flat() &&
                        !ref.predicate_value;
  for (std::uint32_t c = 0; c < std::max<std::uint32_t>(ref.components, 1); ++c) {
    if (ref.value[c] == kNone) continue;
    if (ref.predicate_value) {
      predicates_[ref.value[c]] = {};
      continue;
    }
    if (!readable) {
      clear(rows_[ref.value[c]]);
      continue;
    }
    AffineRow row = AffineRow::unknown();
    for (std::size_t l = 0; l < kLanes; ++l) {
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

void SymbolicValues::forget(const Op& op) {
  if (op.code == Code::multiply)
    for (std::size_t i = 0; i < code_.products[op.a].c_count; ++i)
      clear(rows_[code_.products[op.a].d[i]]);
  if (op.code == Code::group_multiply)
    for (const std::uint32_t row : code_.group_products[op.a].d) clear(rows_[row]);
  switch (operation_info(op.code).dst) {
  case Operand::row32:
  case Operand::row64:
    clear(rows_[op.dst]);
    return;
  case Operand::predicate:
    predicates_[op.dst] = {};
    return;
  case Operand::none:
  case Operand::pc:
  case Operand::reference:
  case Operand::call:
  case Operand::product:
  case Operand::bulk_copy:
  case Operand::group_product:
  case Operand::text:
  case Operand::object:
    return;
  }
}

}  // namespace lanescope
