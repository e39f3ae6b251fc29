// Counts of accesses whose addresses follow no rule that is known beforehand: most come again and again.
// Compiled twice, see interpreter.h: everything here has internal linkage.
#pragma once

#include "execute/executor.h"
#include "execute/lane_memory.h"

namespace lanescope {
namespace {

constexpr std::int32_t kMostTrust = 64, kNoTrust = -64;

/// The lanes of `mask` from the first of them on; false if they are too far apart for 32 bits.
bool relative_lanes(const std::uint64_t* lanes, LaneMask mask, std::uint32_t* out) {
  const std::uint64_t first = lanes[__builtin_ctz(mask)];
  std::uint64_t far = 0;
  for (std::uint32_t l = 0; l < kLanes; ++l) {
    const std::uint64_t on = 0 - std::uint64_t{mask >> l & 1}, apart = (lanes[l] - first) & on;
    out[l] = static_cast<std::uint32_t>(apart);
    far |= apart + 0x80000000u;
  }
  return far >> 32 == 0;
}

bool is_same(const SeenCost& seen, const std::uint32_t* lanes, LaneMask mask, std::uint32_t place) {
  std::uint32_t differ = (seen.mask ^ mask) | (seen.place ^ place);
  for (int l = 0; l < kLanes; ++l) differ |= seen.lanes[l] ^ lanes[l];
  return differ == 0;
}

std::uint32_t slot_of(const std::uint32_t* lanes, LaneMask mask, std::uint32_t place) {
  const std::uint32_t mixed =
      (lanes[1] * 3 + lanes[7] * 5 + lanes[18] * 7 + lanes[31] * 11 + mask + place * 13) *
      0x9e3779b1u;
  return mixed >> 28;
}

template <MemorySpace Space>
AccessCounts count_once(const MemRef& ref, const std::uint64_t* lanes, LaneMask mask) {
  AccessCounts one{1, {}, {}};
  if constexpr (Space == MemorySpace::shared) {
    alignas(32) std::uint32_t narrow[kLanes];
    for (int l = 0; l < kLanes; ++l) narrow[l] = static_cast<std::uint32_t>(lanes[l]);
    one.shared = cost::served(narrow, mask, ref.bytes, ref.service);
  } else {
    one.global = cost::served_global(lanes, mask, ref.bytes, ref.service);
  }
  return one;
}

template <MemorySpace Space>
void count_access(Machine& m, std::uint32_t pc, const std::uint64_t* lanes, LaneMask mask) {
  const Op& op = m.code->ops[pc];
  const MemRef& ref = m.code->refs[op.a];
  AccessCounts& all = m.counts[ref.access];
  SeenCosts& costs = m.seen[op.a];
  alignas(64) std::uint32_t relative[kLanes];
  if (costs.trust == kNoTrust || !relative_lanes(lanes, mask, relative))
    return cost::add(all, count_once<Space>(ref, lanes, mask));
  // Banks turn with the first address, sectors and parts of words do not.
  const auto first = static_cast<std::uint32_t>(lanes[__builtin_ctz(mask)]);
  const std::uint32_t place = Space == MemorySpace::global ? first & 31
                              : ref.bytes < 4              ? first & 3
                                                           : 0;
  SeenCost& seen = costs.each[slot_of(relative, mask, place)];
  if (is_same(seen, relative, mask, place)) {
    costs.trust += costs.trust < kMostTrust;
  } else {
    costs.trust -= 1;
    std::memcpy(seen.lanes, relative, sizeof relative);
    seen.mask = mask, seen.place = place;
    seen.counts = count_once<Space>(ref, lanes, mask);
  }
  cost::add(all, seen.counts);
}

CountAccess count_in(MemorySpace space) {
  return space == MemorySpace::shared ? count_access<MemorySpace::shared>
                                      : count_access<MemorySpace::global>;
}

}  // namespace
}  // namespace lanescope
