#include "check/undefined_lanes.h"

#include <bit>
#include <utility>

#include "check/undefined_bits.h"
#include "machine/flow.h"

LANESCOPE_EVERY_CODE

namespace lanescope {

int shuffle_source(const Machine& machine, const WarpCall& call, int lane) {
  const auto at = [&](std::uint32_t row, int l) {
    return static_cast<std::int32_t>(
        machine.rows[std::size_t{row} * kLanes + static_cast<std::size_t>(l)]);
  };
  const int operand = at(call.operand, lane), given = at(call.width, lane);
  const int width = given > 0 ? given : kLanes, begin = lane / width * width, end = begin + width;
  int from = lane;
  switch (at(call.mode, 0)) {
  case 0:
    from = begin + (operand & (width - 1));
    break;
  case 1:
    from = lane - operand >= begin ? lane - operand : lane;
    break;
  case 2:
    from = lane + operand < end ? lane + operand : lane;
    break;
  default:
    from = (lane ^ operand) < end ? lane ^ operand : lane;
    break;
  }
  return from & (kLanes - 1);
}

namespace {

constexpr std::uint64_t kAll32 = 0xffff'ffff;

std::uint64_t all_of(Operand kind) {
  return kind == Operand::row64 ? ~0ull : kind == Operand::predicate ? 1 : kAll32;
}

std::uint64_t operand_value(const Machine& machine, Operand kind, std::uint32_t index, int lane) {
  const std::uint32_t* row = machine.rows + std::size_t{index} * kLanes;
  if (kind == Operand::row64) return reinterpret_cast<const std::uint64_t*>(row)[lane];
  return kind == Operand::predicate ? machine.predicates[index] >> lane & 1 : row[lane];
}

}  // namespace

void UndefinedLanes::Row::set(int lane, std::uint64_t unset, std::uint64_t all) {
  const LaneMask one = 1u << lane;
  lanes = unset != 0 ? lanes | one : lanes & ~one;
  if (bits.empty() && (unset == 0 || unset == all)) return;
  bits.resize(kLanes, ~0ull);
  bits[static_cast<std::size_t>(lane)] = unset;
}

void UndefinedLanes::Row::take(LaneMask mask, const Row& other) {
  for (LaneMask left = (lanes | other.lanes) & mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    set(lane, other.unset(lane, ~0ull), ~0ull);
  }
  if ((other.lanes & mask) != 0) source = other.source;
}

UndefinedLanes::Warp& UndefinedLanes::of(const Machine& machine, const WarpState& warp) {
  if (warps_.size() <= warp.index) warps_.resize(warp.index + 1);
  Warp& rows = warps_[warp.index];
  if (rows.rows.size() < machine.code->rows + 2) {
    rows.rows.resize(machine.code->rows + 2);
    rows.predicates.resize(machine.code->predicates + 1);
  }
  return rows;
}

UndefinedLanes::Row* UndefinedLanes::row_of(Warp& warp, Operand kind, std::uint32_t index) {
  if (index == kNone) return nullptr;
  if (kind == Operand::row32 || kind == Operand::row64) return &warp.rows[index];
  return kind == Operand::predicate ? &warp.predicates[index] : nullptr;
}

void UndefinedLanes::shuffle(const Machine& machine, const WarpState& warp, const Op& op,
                             LaneMask mask) {
  const WarpCall& call = machine.code->calls[op.a];
  LaneMask bad = 0, passed_on = 0;
  Row moved;
  int first = -1;
  std::uint32_t source = 0;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left), from = shuffle_source(machine, call, lane);
    if ((mask >> from & 1) == 0) {
      bad |= 1u << lane;
      if (first < 0) first = lane;
    } else if (any_) {
      const Row& value = of(machine, warp).rows[call.value];
      if (value.lanes >> from & 1)
        passed_on |= 1u << lane, source = value.source,
                                 moved.set(lane, value.unset(from, ~0ull), ~0ull);
    }
  }
  if (bad == 0 && !any_) return;
  Row& result = of(machine, warp).rows[op.dst];
  result.take(mask, moved);
  if (bad != 0) {
    const int from = shuffle_source(machine, call, first);
    any_ = true;
    source = static_cast<std::uint32_t>(sources_.size());
    sources_.push_back({op.info, kNone, first, from, (warp.existing >> from & 1) == 0,
                        ((warp.exited | ended_lanes(*machine.code, warp)) >> from & 1) != 0});
  }
  for (LaneMask left = bad; left != 0; left &= left - 1)
    result.set(std::countr_zero(left), ~0ull, ~0ull);
  if ((bad | passed_on) != 0) result.source = source;
}

std::uint32_t UndefinedLanes::of_variable(std::uint32_t variable, std::uint32_t info) {
  const auto next = static_cast<std::uint32_t>(sources_.size());
  const auto [at, is_new] = of_variables_.try_emplace({variable, info}, next);
  if (is_new) sources_.push_back({info, variable});
  return at->second;
}

void UndefinedLanes::unset(const Machine& machine, const WarpState& warp, const Op& op,
                           LaneMask mask, std::uint32_t variable) {
  Row& row = *row_of(of(machine, warp), operation_info(op.code).dst, op.dst);
  for (LaneMask left = mask; left != 0; left &= left - 1)
    row.set(std::countr_zero(left), ~0ull, ~0ull);
  row.source = of_variable(variable, kNone);
  any_ = is_made_ = true;
}

bool UndefinedLanes::join_bits(const Machine& machine, Warp& warp, const Op& op, Row& out) {
  const OperationInfo& info = operation_info(op.code);
  bool whole = false;
  for (LaneMask left = std::exchange(out.lanes, 0); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto operand = [&](Operand kind, std::uint32_t index) {
      const Row* row = row_of(warp, kind, index);
      if (row == nullptr) return PartlySet{};
      const std::uint64_t all = all_of(kind), unset = row->unset(lane, all);
      whole |= unset == all;
      return PartlySet{operand_value(machine, kind, index, lane), unset, all};
    };
    const std::uint64_t all = all_of(info.dst);
    out.set(lane,
            unset_after(op.code, operand(info.a, op.a), operand(info.b, op.b),
                        operand(info.c, op.c), all),
            all);
  }
  return whole;
}

UndefinedLanes::Row UndefinedLanes::joined(const Machine& machine, Warp& warp, const Op& op) {
  const OperationInfo& info = operation_info(op.code);
  Row out;
  for (const auto& [kind, index] :
       {std::pair(info.a, op.a), std::pair(info.b, op.b), std::pair(info.c, op.c)})
    if (const Row* row = row_of(warp, kind, index); row != nullptr && row->lanes != 0)
      out.lanes |= row->lanes, out.source = row->source;
  if (out.lanes == 0) return out;
  // What decides by itself leaves nothing to the other: false && x, true || x.
  if (op.code == Code::p_and || op.code == Code::p_or) {
    const LaneMask ends = op.code == Code::p_and ? 0 : kAllLanes;
    const auto decides = [&](std::uint32_t p) {
      return (machine.predicates[p] ^ ~ends) & ~warp.predicates[p].lanes;
    };
    out.lanes &= ~(decides(op.a) | decides(op.b));
  }
  const bool whole = join_bits(machine, warp, op, out);
  // A neighbour's bits are kept where others are set; nobody has computed with them yet.
  const bool sets_aside =
      op.code == Code::and32 || op.code == Code::and64 || op.code == Code::pack64;
  const bool computes = info.b != Operand::none && (!moves_bits(op.code) || (whole && !sets_aside));
  if (const Source source = sources_[out.source];
      computes && source.variable != kNone && source.info == kNone)
    out.source = of_variable(source.variable, op.info);
  return out;
}

UndefinedLanes::Row UndefinedLanes::selected(const Machine& machine, Warp& warp,
                                             const Op& op) const {
  const OperationInfo& info = operation_info(op.code);
  const LaneMask choice = machine.predicates[op.a];
  const Row &by = warp.predicates[op.a], &yes = *row_of(warp, info.b, op.b),
            &no = *row_of(warp, info.c, op.c);
  Row out;
  out.source = by.source;
  out.take(~choice, no);
  out.take(choice, yes);
  for (LaneMask left = by.lanes; left != 0; left &= left - 1)
    out.set(std::countr_zero(left), ~0ull, ~0ull);
  return out;
}

std::optional<UndefinedLanes::Use> UndefinedLanes::used(const Row& row, LaneMask mask) const {
  const LaneMask lanes = row.lanes & mask;
  if (lanes == 0) return std::nullopt;
  return Use{sources_[row.source], std::countr_zero(lanes)};
}

std::optional<UndefinedLanes::Use> UndefinedLanes::access(Warp& warp, const MemRef& ref,
                                                          LaneMask mask) {
  std::optional<Use> use;
  const auto look = [&](std::uint32_t row) {
    if (!use && row != kNone) use = used(warp.rows[row], mask);
  };
  look(ref.base);
  for (const MemTerm& term : ref.terms) look(term.row);
  look(ref.operand);
  look(ref.compare);
  for (std::uint32_t c = 0; c < ref.components; ++c) {
    if (ref.value[c] == kNone) continue;
    Row& value = ref.predicate_value ? warp.predicates[ref.value[c]] : warp.rows[ref.value[c]];
    if (!ref.is_store)
      value.lanes &= ~mask;
    else if (!use && (!ref.keeps_bits || sources_[value.source].variable == kNone))
      use = used(value, mask);
  }
  return use;
}

std::optional<UndefinedLanes::Use> UndefinedLanes::multiplied(Warp& warp, const MatrixCall& call,
                                                              LaneMask mask) {
  std::optional<Use> use;
  const auto look = [&](const std::array<std::uint32_t, 8>& rows, std::size_t count) {
    for (std::size_t i = 0; i < count && !use; ++i) use = used(warp.rows[rows[i]], mask);
  };
  look(call.a, call.a_count);
  look(call.b, call.b_count);
  look(call.c, call.c_count);
  for (std::size_t i = 0; i < call.c_count; ++i) warp.rows[call.d[i]].lanes &= ~mask;
  return use;
}

std::optional<UndefinedLanes::Use> UndefinedLanes::operation(const Machine& machine,
                                                             const WarpState& state, const Op& op,
                                                             LaneMask mask) {
  if (std::exchange(is_made_, false)) return std::nullopt;
  const OperationInfo& info = operation_info(op.code);
  Warp& warp = of(machine, state);
  switch (info.kind) {
  case OperationKind::arithmetic:
  case OperationKind::comparison:
  case OperationKind::logic:
    *row_of(warp, info.dst, op.dst) = joined(machine, warp, op);
    return std::nullopt;
  case OperationKind::selection:
    *row_of(warp, info.dst, op.dst) = selected(machine, warp, op);
    return std::nullopt;
  case OperationKind::masked_copy: {
    Row& to = *row_of(warp, info.dst, op.dst);
    const Row& from = *row_of(warp, info.a, op.a);
    to.take(mask, from);
    return std::nullopt;
  }
  case OperationKind::access:
    return access(warp, machine.code->refs[op.a], mask);
  case OperationKind::address:
    warp.rows[op.dst] = {};
    for (const MemTerm& term : machine.code->refs[op.a].terms)
      if (warp.rows[term.row].lanes != 0) warp.rows[op.dst] = warp.rows[term.row];
    return std::nullopt;
  case OperationKind::control:
    return op.code == Code::branch ? used(warp.predicates[op.a], mask) : std::nullopt;
  case OperationKind::warp:
    // Of a vote or a match all lanes get one answer; whose part in it was undefined is not followed.
    if (Row* to = row_of(warp, info.dst, op.dst)) to->lanes &= ~mask;
    if (op.code == Code::multiply) return multiplied(warp, machine.code->products[op.a], mask);
    if (op.code == Code::group_multiply)
      for (const std::uint32_t row : machine.code->group_products[op.a].d)
        warp.rows[row].lanes &= ~mask;
    return std::nullopt;
  case OperationKind::recording:
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace lanescope
