// What the lanes of a warp do together: shuffles, votes. Compiled twice, see interpreter.h:
// everything here has internal linkage.
#pragma once

#include "execute/rows.h"
#include "machine/flow.h"
#include "model/matrix_math.h"

namespace lanescope {
namespace {

/// Lanes named in a warp operation's mask must take part in it together (CUDA C++ Programming
/// Guide, "Warp Vote Functions"). Returns the lanes that break this, 0 if none.
LaneMask mismatched(const Machine& m, const WarpState& w, const Op& op, LaneMask active) {
  const auto* masks = row_of<std::uint32_t>(m, mask_row(*m.code, op));
  LaneMask bad = 0, ended = 0;
  if (active != (w.existing & ~w.exited)) ended = ended_lanes(*m.code, w);
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    const LaneMask named = masks[lane] & w.existing & ~w.exited & ~ended;
    if ((masks[lane] >> lane & 1) == 0) bad |= 1u << lane;
    bad |= named & ~active;
  }
  return bad;
}

/// __shfl_sync and its kin; the mode is 0 for a lane's number, 1 up, 2 down, 3 xor.
template <class T>
void shuffle(const Machine& m, const Op& op, LaneMask active) {
  const WarpCall& call = m.code->calls[op.a];
  const T* value = row_of<T>(m, call.value);
  const auto* operand = row_of<std::int32_t>(m, call.operand);
  const auto* width = row_of<std::int32_t>(m, call.width);
  const std::uint32_t mode = *row_of<std::uint32_t>(m, call.mode);
  T out[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const int w = width[l] > 0 ? width[l] : kLanes, begin = l / w * w;
    int from = l;
    switch (mode) {
    case 0:
      from = begin + (operand[l] & (w - 1));
      break;
    case 1:
      from = l - operand[l] >= begin ? l - operand[l] : l;
      break;
    case 2:
      from = l + operand[l] < begin + w ? l + operand[l] : l;
      break;
    default:
      from = (l ^ operand[l]) < begin + w ? l ^ operand[l] : l;
      break;
    }
    from &= kLanes - 1;
    out[l] = active >> from & 1 ? value[from] : value[l];
  }
  select(row_of<T>(m, op.dst), active, out, row_of<T>(m, op.dst));
}

/// One value for the active lanes.
template <class T>
void fill_active(T* row, LaneMask active, T value) {
  for (std::uint32_t l = 0; l < kLanes; ++l)
    if (active >> l & 1) row[l] = value;
}

void ballot(const Machine& m, const Op& op, LaneMask active) {
  const auto* masks = row_of<std::uint32_t>(m, op.a);
  auto* out = row_of<std::uint32_t>(m, op.dst);
  const LaneMask votes = m.predicates[op.b] & active;
  for (std::uint32_t l = 0; l < kLanes; ++l)
    if (active >> l & 1) out[l] = votes & masks[l];
}

void match_any(const Machine& m, const Op& op, LaneMask active) {
  const auto* masks = row_of<std::uint32_t>(m, op.a);
  const auto* values = row_of<std::uint64_t>(m, op.b);
  auto* out = row_of<std::uint32_t>(m, op.dst);
  for (std::uint32_t l = 0; l < kLanes; ++l) {
    if ((active >> l & 1) == 0) continue;
    LaneMask same = 0;
    for (int k = 0; k < kLanes; ++k) same |= static_cast<LaneMask>(values[k] == values[l]) << k;
    out[l] = same & active & masks[l];
  }
}

/// `a` and `b` as one (PTX ISA, "redux.sync").
std::uint32_t reduced(Reduction how, std::uint32_t a, std::uint32_t b) {
  const auto is_less = [how](std::uint32_t x, std::uint32_t y) {
    const bool is_signed = how == Reduction::smin || how == Reduction::smax;
    return is_signed ? static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y) : x < y;
  };
  switch (how) {
  case Reduction::add:
    return a + b;
  case Reduction::umin:
  case Reduction::smin:
    return is_less(a, b) ? a : b;
  case Reduction::umax:
  case Reduction::smax:
    return is_less(a, b) ? b : a;
  case Reduction::conjunction:
    return a & b;
  case Reduction::disjunction:
    return a | b;
  case Reduction::exclusive:
    break;
  }
  return a ^ b;
}

void reduce(const Machine& m, const Op& op, LaneMask active) {
  const auto* masks = row_of<std::uint32_t>(m, op.a);
  const auto* values = row_of<std::uint32_t>(m, op.b);
  const auto* kinds = row_of<std::uint32_t>(m, op.c);
  auto* out = row_of<std::uint32_t>(m, op.dst);
  std::uint32_t results[kLanes] = {};
  for (LaneMask left = active; left != 0;) {
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(left));
    const LaneMask members = masks[first] & active;
    const auto how = static_cast<Reduction>(kinds[first]);
    if (members == 0) break;  // the lane does not name itself, which has been refused
    std::uint32_t result = values[__builtin_ctz(members)];
    for (LaneMask others = members & (members - 1); others != 0; others &= others - 1)
      result = reduced(how, result, values[__builtin_ctz(others)]);
    for (LaneMask lanes = members; lanes != 0; lanes &= lanes - 1)
      results[__builtin_ctz(lanes)] = result;
    left &= ~members;
  }
  for (std::uint32_t l = 0; l < kLanes; ++l)
    if (active >> l & 1) out[l] = results[l];
}

void multiply_rows(const Machine& m, const MatrixCall& call) {
  MatrixRegisters registers;
  const auto at = [&](std::uint32_t row) {
    return reinterpret_cast<std::byte*>(row_of<std::uint32_t>(m, row));
  };
  for (std::size_t i = 0; i < call.a_count; ++i) registers.a[i] = at(call.a[i]);
  for (std::size_t i = 0; i < call.b_count; ++i) registers.b[i] = at(call.b[i]);
  for (std::size_t i = 0; i < call.c_count; ++i)
    registers.c[i] = at(call.c[i]), registers.d[i] = at(call.d[i]);
  multiply(call.form, registers);
}

}  // namespace
}  // namespace lanescope
