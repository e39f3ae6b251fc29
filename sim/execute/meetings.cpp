#include "execute/meetings.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "check/checker.h"
#include "execute/executor.h"
#include "lanescope/memory.h"
#include "machine/mbarrier.h"

namespace lanescope {
namespace {

using Kind = Awaited::Kind;

/// Whoever polls that often without anybody else's doing anything polls for ever.
constexpr std::uint32_t kMostTold = 1024;

template <class T>
T lane_of(const Machine& m, std::uint32_t row, int lane) {
  return reinterpret_cast<const T*>(m.rows + std::size_t{row} * kLanes)[lane];
}

std::uint64_t word_at(const Machine& m, std::uint32_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, m.shared.data() + offset, sizeof word);
  return word;
}

bool is_over(const Machine& m, const Awaited& awaited, int lane) {
  const std::uint64_t word = word_at(m, awaited.offset[static_cast<std::size_t>(lane)]);
  return mbarrier::is_over(word, awaited.parities >> lane & 1);
}

bool all_over(const Machine& m, const Awaited& awaited) {
  for (LaneMask left = awaited.lanes; left != 0; left &= left - 1)
    if (!is_over(m, awaited, std::countr_zero(left))) return false;
  return true;
}

Stop begin_mbarrier(Machine& m, WarpState& w, const Op& op, LaneMask mask) {
  Awaited& awaited = w.awaited = {Kind::mbarrier, 0, 0, mask};
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto offset = mbarrier_offset(m, op, lane, lane_of<std::uint64_t>(m, op.a, lane), false);
    if (!offset) return Stop::fault;
    awaited.offset[static_cast<std::size_t>(lane)] = *offset;
    awaited.parities |= (lane_of<std::uint32_t>(m, op.b, lane) & 1) << lane;
  }
  return Stop::barrier;
}

void describe_part(Machine& m, const Awaited& awaited, std::uint32_t arrived) {
  m.fault.awaited = Kind::part;
  m.fault.id = awaited.id, m.fault.threads = awaited.threads, m.fault.arrived = arrived;
}

}  // namespace

std::optional<std::uint32_t> mbarrier_offset(Machine& m, const Op& op, int lane,
                                             std::uint64_t address, bool is_store) {
  const std::uint64_t offset = address - kSharedWindow;
  const bool outside = m.shared.size() < 8 || offset > m.shared.size() - 8;
  if (!outside && offset % 8 == 0) return static_cast<std::uint32_t>(offset);
  fail(m, op, outside ? DiagnosticKind::out_of_bounds : DiagnosticKind::misaligned, 1u << lane);
  m.fault.address = address, m.fault.bytes = 8, m.fault.is_store = is_store;
  return std::nullopt;
}

Stop begin_meeting(Machine& m, WarpState& w, std::uint32_t pc, LaneMask mask) {
  const Op& op = m.code->ops[pc];
  if (op.code == Code::mbarrier_wait) return begin_mbarrier(m, w, op, mask);
  if (op.code != Code::barrier_part) {
    w.awaited.kind = Kind::all;
    return Stop::barrier;
  }
  const int lane = std::countr_zero(mask);
  w.awaited = {Kind::part, lane_of<std::uint32_t>(m, op.a, lane),
               lane_of<std::uint32_t>(m, op.b, lane)};
  if (lane_of<std::uint32_t>(m, op.c, lane) != 0) w.awaited.lanes = mask;
  const bool is_known = w.awaited.id < 16 || w.awaited.id - kFirstWarpgroup < 8;
  if (is_known && w.awaited.threads != 0 && w.awaited.threads % kLanes == 0) return Stop::barrier;
  fail(m, op, DiagnosticKind::divergent_barrier, mask);
  describe_part(m, w.awaited, ~0u);
  return Stop::fault;
}

void Meetings::begin_block() {
  arrived_.fill(0);
  all_met();
}

std::uint32_t& Meetings::arrived(std::uint32_t id) {
  return arrived_[id < 16 ? id : 16 + id - kFirstWarpgroup];
}

void Meetings::arrive(Machine& m, WarpState& w, std::vector<WarpState>& warps) {
  const std::uint32_t id = w.awaited.id;
  std::uint32_t& come = arrived(id);
  come += kLanes;
  const bool is_met = come >= w.awaited.threads;
  if (m.checker != nullptr) m.checker->meets_part(w.index, id, is_met);
  if (w.awaited.lanes == 0) w.awaited = {};
  if (!is_met) return;
  come = told_ = 0;
  for (WarpState& each : warps) {
    if (each.done || each.awaited.kind != Kind::part || each.awaited.id != id) continue;
    each.awaited = {};
    if (m.checker != nullptr) m.checker->met_part(each.index, id);
  }
}

bool Meetings::is_over(Machine& m, WarpState& w) {
  if (w.awaited.kind != Kind::mbarrier || !all_over(m, w.awaited)) return false;
  if (m.checker != nullptr) m.checker->waited_for(w.index, w.awaited);
  w.awaited = {};
  w.barrier_count = 1;
  told_ = 0;
  return true;
}

bool Meetings::tell(Machine& m, std::vector<WarpState>& warps) {
  const bool any = std::any_of(warps.begin(), warps.end(), [](const WarpState& w) {
    return !w.done && w.awaited.kind == Kind::mbarrier;
  });
  if (any && told_++ < kMostTold) {
    for (WarpState& w : warps)
      if (!w.done && w.awaited.kind == Kind::mbarrier) w.awaited = {}, w.barrier_count = 0;
    return true;
  }
  blame(m, warps);
  return false;
}

void Meetings::blame(Machine& m, const std::vector<WarpState>& warps) {
  const auto first = std::find_if(warps.begin(), warps.end(), [](const WarpState& w) {
    return !w.done && (w.awaited.kind == Kind::part || w.awaited.kind == Kind::mbarrier);
  });
  const Awaited& awaited = first->awaited;
  const Op& op = m.code->ops[first->barrier_pc];
  if (awaited.kind == Kind::part) {
    fail(m, op, DiagnosticKind::divergent_barrier, first->existing);
    return describe_part(m, awaited, arrived(awaited.id));
  }
  LaneMask missing = awaited.lanes;
  while (lanescope::is_over(m, awaited, std::countr_zero(missing))) missing &= missing - 1;
  fail(m, op, DiagnosticKind::divergent_barrier, missing);
  m.fault.awaited = Kind::mbarrier;
  m.fault.address = kSharedWindow + awaited.offset[static_cast<std::size_t>(m.fault.lane)];
}

}  // namespace lanescope
