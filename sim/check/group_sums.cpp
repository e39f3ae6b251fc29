#include "check/group_sums.h"

#include <algorithm>
#include <bit>

#include "lanescope/memory.h"
#include "lower/operands.h"

namespace lanescope {
namespace {

/// Hands a row on as it is.
bool is_copy(const Op& op) {
  return op.code == Code::copy32 || operation_info(op.code).kind == OperationKind::masked_copy;
}

/// Puts it away, as a thread's array in local memory is; a compiler waits there by itself. Of some pointers only the
/// run tells that they lead there.
bool is_spill(const Machine& machine, const WarpState& warp, const Op& op) {
  if (op.code != Code::store) return false;
  const MemRef& ref = machine.code->refs[op.a];
  if (ref.space != MemorySpace::generic || ref.base == kNone)
    return ref.space == MemorySpace::local;
  const auto* base =
      reinterpret_cast<const std::uint64_t*>(machine.rows + std::size_t{ref.base} * kLanes);
  return base[std::countr_zero(warp.stack.back().mask)] - kLocalWindow < kWindowBytes;
}

}  // namespace

void GroupSums::begin_block() {
  warps_.clear();
  any_ = false;
}

void GroupSums::mark(const Mark& mark, std::uint32_t warp) {
  if (!any_) return;
  Warp& of = warps_[warp];
  if (mark.kind == Mark::Kind::sums_commit) {
    ++of.open;
    return;
  }
  of.done = std::max(of.done, of.open - 1 - std::min(mark.count, of.open - 1));
  std::erase_if(of.groups, [&](const auto& each) { return each.second <= of.done; });
}

bool GroupSums::operation(const Machine& machine, const WarpState& warp, const Op& op) {
  const FlatCode& code = *machine.code;
  if (op.code == Code::group_multiply) {
    any_ = true;
    Warp& of = warps_[warp.index];
    for (const std::uint32_t row : code.group_products[op.a].d) of.groups[row] = of.open;
    return false;
  }
  const auto found = warps_.find(warp.index);
  if (found == warps_.end() || found->second.groups.empty()) return false;
  auto& groups = found->second.groups;
  std::uint32_t used = 0;
  for_each_use(code, op, [&](std::uint32_t row) {
    if (const auto at = groups.find(row); at != groups.end()) used = at->second;
  });
  for_each_result(code, op, [&](std::uint32_t row) { groups.erase(row); });
  if (used == 0 || is_spill(machine, warp, op)) return false;
  if (!is_copy(op)) return true;
  groups[op.dst] = used;
  return false;
}

}  // namespace lanescope
