// What one shared-memory access costs, and why: groups, banks, words, wavefronts.
#include "lanescope/banks.h"

#include <algorithm>

#include "model/cost_fast.h"

namespace lanescope {
namespace {

bool partners_equal(const LaneRow& address, LaneMask mask, int distance) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool both = (mask >> lane & 1) && (mask >> (lane ^ distance) & 1);
    if (both && address[lane] != address[lane ^ distance]) return false;
  }
  return true;
}

bool merges(const LaneRow& address, LaneMask mask, std::uint32_t bytes, bool is_load) {
  return is_load && bytes > 4 && mask != 0 &&
         (partners_equal(address, mask, 1) || partners_equal(address, mask, 2));
}

/// Active lanes of the groups that are served one after the other; empty groups are left out.
std::vector<LaneMask> served_groups(LaneMask mask, std::uint32_t bytes, bool merged) {
  const int count = bytes <= 4 ? 1 : static_cast<int>(bytes / 4) / (merged ? 2 : 1);
  const int lanes = kLanes / count;
  std::vector<LaneMask> groups;
  for (int group = 0; group < count; ++group) {
    const LaneMask all = lanes == kLanes ? kAllLanes : ((1u << lanes) - 1) << (group * lanes);
    if (mask & all) groups.push_back(mask & all);
  }
  return groups;
}

using BankQueues = std::array<std::vector<BankWord>, kBanks>;

/// The distinct words each bank must serve for a group, in the order of the first lane that asks.
BankQueues queue_words(const LaneRow& address, LaneMask group, std::uint32_t bytes) {
  BankQueues queues;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(group >> lane & 1)) continue;
    for (std::uint32_t byte = 0; byte < bytes; byte += kBankBytes) {
      const std::uint64_t word = (address[lane] + byte) / kBankBytes;
      auto& queue = queues[word % kBanks];
      auto it = std::find_if(queue.begin(), queue.end(),
                             [&](const BankWord& w) { return w.word == word; });
      if (it == queue.end())
        it = queue.insert(it, BankWord{static_cast<int>(word % kBanks), word, 0});
      it->lanes |= 1u << lane;
    }
  }
  return queues;
}

}  // namespace

SharedCounts& SharedCounts::operator+=(const SharedCounts& other) {
  cost::add(*this, other);
  return *this;
}

SharedCounts shared_cost(const LaneRow& address, LaneMask mask, std::uint32_t bytes, bool is_load) {
  if (mask == 0) return {};
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    low = std::min(low, address[lane]);
    high = std::max(high, address[lane]);
  }
  low &= ~std::uint64_t{127};
  if (high - low >= cost::kSharedReach) return plan_banks(address, mask, bytes, is_load).cost;
  std::array<std::uint32_t, kLanes> offset;
  for (int lane = 0; lane < kLanes; ++lane)
    offset[lane] = static_cast<std::uint32_t>(address[lane] - low);
  return cost::shared(offset.data(), mask, bytes, is_load);
}

BankPlan plan_banks(const LaneRow& address, LaneMask mask, std::uint32_t bytes, bool is_load) {
  BankPlan plan;
  plan.bytes = bytes;
  plan.merged = merges(address, mask, bytes, is_load);
  plan.groups = served_groups(mask, bytes, plan.merged);
  for (std::size_t group = 0; group < plan.groups.size(); ++group) {
    const BankQueues queues = queue_words(address, plan.groups[group], bytes);
    std::size_t depth = 0;
    for (int bank = 0; bank < kBanks; ++bank) {
      depth = std::max(depth, queues[bank].size());
      if (static_cast<int>(queues[bank].size()) <= plan.ways) continue;
      plan.ways = static_cast<int>(queues[bank].size());
      plan.worst_bank = bank;
    }
    for (std::size_t turn = 0; turn < depth; ++turn) {
      Wavefront& wavefront = plan.wavefronts.emplace_back();
      wavefront.group = static_cast<int>(group);
      for (const auto& queue : queues)
        if (turn < queue.size()) wavefront.words.push_back(queue[turn]);
    }
  }
  const std::uint64_t wavefronts = plan.wavefronts.size();
  const std::uint64_t asked = static_cast<std::uint64_t>(active_lanes(mask)) * bytes;
  plan.cost = {mask != 0, wavefronts, std::min(wavefronts, (asked + 127) / 128),
               wavefronts - plan.groups.size()};
  return plan;
}

}  // namespace lanescope
