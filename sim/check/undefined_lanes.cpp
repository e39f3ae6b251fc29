#include "check/undefined_lanes.h"

#include <bit>
#include <utility>

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
  int first = -1;
  std::uint32_t source = 0;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left), from = shuffle_source(machine, call, lane);
    if ((mask >> from & 1) == 0) {
      bad |= 1u << lane;
      if (first < 0) first = lane;
    } else if (any_) {
      const Row& value = of(machine, warp).rows[call.value];
      if (value.lanes >> from & 1) passed_on |= 1u << lane, source = value.source;
    }
  }
  if (bad == 0 && !any_) return;
  Row& result = of(machine, warp).rows[op.dst];
  if (bad != 0) {
    const int from = shuffle_source(machine, call, first);
    any_ = true;
    source = static_cast<std::uint32_t>(sources_.size());
    sources_.push_back({op.info, kNone, first, from, (warp.existing >> from & 1) == 0,
                        ((warp.exited | ended_lanes(*machine.code, warp)) >> from & 1) != 0});
  }
  result.lanes = (result.lanes & ~mask) | bad | passed_on;
  result.source = source;
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
  row.lanes |= mask;
  row.source = of_variable(variable, kNone);
  any_ = is_made_ = true;
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
  if (const Source source = sources_[out.source];
      source.variable != kNone && source.info == kNone && info.b != Operand::none)
    out.source = of_variable(source.variable, op.info);
  return out;
}

UndefinedLanes::Row UndefinedLanes::selected(const Machine& machine, Warp& warp,
                                             const Op& op) const {
  const OperationInfo& info = operation_info(op.code);
  const LaneMask choice = machine.predicates[op.a];
  const Row &by = warp.predicates[op.a], &yes = *row_of(warp, info.b, op.b),
            &no = *row_of(warp, info.c, op.c);
  const LaneMask taken = (yes.lanes & choice) | (no.lanes & ~choice);
  return {by.lanes | taken, (yes.lanes & choice) != 0 ? yes.source
                            : taken != 0              ? no.source
                                                      : by.source};
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
    to.lanes = (to.lanes & ~mask) | (from.lanes & mask);
    if ((from.lanes & mask) != 0) to.source = from.source;
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
