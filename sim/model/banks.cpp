// What one shared-memory access costs, and why: groups, banks, words, wavefronts.
#include "lanescope/banks.h"

#include <algorithm>
#include <map>

#include "model/cost_service.h"

namespace lanescope {
namespace {

bool partners_equal(const LaneRow& address, LaneMask mask, int distance) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const bool both = (mask >> lane & 1) && (mask >> (lane ^ distance) & 1);
    if (both && address[lane] != address[lane ^ distance]) return false;
  }
  return true;
}

bool merges(const LaneRow& address, LaneMask mask, std::uint32_t bytes, Service service) {
  return service == Service::load && bytes > 4 && mask != 0 &&
         (partners_equal(address, mask, 1) || partners_equal(address, mask, 2));
}

/// Active lanes of the groups that are served one after the other; empty groups are left out.
std::vector<LaneMask> served_groups(LaneMask mask, std::uint32_t bytes, bool merged) {
  const auto count = cost::groups_of(bytes, merged);
  std::vector<LaneMask> groups;
  for (std::uint32_t group = 0; group < count; ++group)
    if (const LaneMask lanes = mask & cost::group_lanes(group, count); lanes != 0)
      groups.push_back(lanes);
  return groups;
}

/// Lanes that ask for one word wait for it together.
bool shares_words(Service service) {
  return service == Service::load || service == Service::store || matrices_of(service) != 0;
}

using BankQueues = std::array<std::vector<BankWord>, kBanks>;

/// The words each bank must serve for a group, in the order of the first lane that asks.
BankQueues queue_words(const LaneRow& address, LaneMask group, std::uint32_t bytes, bool shared) {
  BankQueues queues;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(group >> lane & 1)) continue;
    for (std::uint32_t byte = 0; byte < bytes; byte += kBankBytes) {
      const std::uint64_t word = (address[lane] + byte) / kBankBytes;
      auto& queue = queues[word % kBanks];
      auto it = std::find_if(queue.begin(), queue.end(),
                             [&](const BankWord& w) { return shared && w.word == word; });
      if (it == queue.end())
        it = queue.insert(it, BankWord{static_cast<int>(word % kBanks), word, 0});
      it->lanes |= 1u << lane;
    }
  }
  return queues;
}

/// Serves what waits in the banks, each wavefront so many times.
void serve(BankPlan& plan, const BankQueues& queues, std::size_t group, int times = 1) {
  std::size_t depth = 0;
  for (int bank = 0; bank < kBanks; ++bank) {
    depth = std::max(depth, queues[bank].size());
    if (static_cast<int>(queues[bank].size()) <= plan.ways) continue;
    plan.ways = static_cast<int>(queues[bank].size());
    plan.worst_bank = bank;
  }
  for (std::size_t turn = 0; turn < depth; ++turn) {
    Wavefront wavefront;
    wavefront.group = static_cast<int>(group);
    for (const auto& queue : queues)
      if (turn < queue.size()) wavefront.words.push_back(queue[turn]);
    plan.wavefronts.insert(plan.wavefronts.end(), static_cast<std::size_t>(times), wavefront);
  }
}

/// Rounds of a load and a compare-and-exchange, until each lane has had its turn; how many.
std::uint64_t serve_loop(BankPlan& plan, const LaneRow& address, LaneMask left, std::size_t group) {
  std::uint64_t rounds = 0;
  for (; left != 0; ++rounds) {
    serve(plan, queue_words(address, left, plan.bytes, true), group);
    LaneMask winners = 0;
    std::uint32_t banks = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t bank = 1u << address[lane] / kBankBytes % kBanks;
      if ((left >> lane & 1) != 0 && (banks & bank) == 0) winners |= 1u << lane, banks |= bank;
    }
    serve(plan, queue_words(address, winners, plan.bytes, false), group, 2);
    left &= ~winners;
  }
  return rounds;
}

/// Of a copy past the banks: lines, or where lanes share destinations, one of these at a time.
void serve_past(BankPlan& plan, const LaneRow& address, LaneMask lanes) {
  std::map<std::uint64_t, LaneMask> lines, destinations;
  for (int lane = 0; lane < kLanes; ++lane)
    if (lanes >> lane & 1) {
      lines[address[lane] / 128] |= 1u << lane;
      destinations[address[lane]] |= 1u << lane;
    }
  const bool apart = destinations.size() == static_cast<std::size_t>(active_lanes(lanes));
  for (const auto& [at, together] : apart ? lines : destinations) {
    Wavefront& wavefront = plan.wavefronts.emplace_back();
    for (const auto& queue : queue_words(address, together, plan.bytes, true))
      wavefront.words.insert(wavefront.words.end(), queue.begin(), queue.end());
    plan.ways = 1;
    plan.worst_bank = wavefront.words.front().bank;
  }
}

SharedCounts cost_of(const BankPlan& plan, LaneMask mask, std::uint64_t rounds) {
  const std::uint64_t wavefronts = plan.wavefronts.size(), groups = plan.groups.size();
  const std::uint64_t asked = static_cast<std::uint64_t>(active_lanes(mask)) * plan.bytes;
  std::uint64_t ideal = std::min(wavefronts, (asked + 127) / 128), best = groups;
  if (matrices_of(plan.service) != 0) ideal = std::min(wavefronts, groups);
  if (plan.service == Service::compare_exchange)
    return {mask != 0, wavefronts, std::min(wavefronts / 2, (asked + 127) / 128) * 2,
            wavefronts / 2 - groups};
  if (plan.service == Service::exchange_loop) ideal = best = 3 * rounds;
  if (plan.service == Service::bypass) best = wavefronts;
  return {mask != 0, wavefronts, ideal, wavefronts - best};
}

}  // namespace

SharedCounts& SharedCounts::operator+=(const SharedCounts& other) {
  cost::add(*this, other);
  return *this;
}

SharedCounts shared_cost(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                         Service service) {
  mask = addressing_lanes(service, mask);
  if (mask == 0) return {};
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    low = std::min(low, address[lane]);
    high = std::max(high, address[lane]);
  }
  low &= ~std::uint64_t{127};
  if (high - low >= cost::kSharedReach) return plan_banks(address, mask, bytes, service).cost;
  std::array<std::uint32_t, kLanes> offset;
  for (int lane = 0; lane < kLanes; ++lane)
    offset[lane] = static_cast<std::uint32_t>(address[lane] - low);
  return cost::served(offset.data(), mask, bytes, service);
}

BankPlan plan_banks(const LaneRow& address, LaneMask mask, std::uint32_t bytes, Service service) {
  BankPlan plan;
  plan.bytes = bytes;
  plan.service = service;
  mask = addressing_lanes(service, mask);
  plan.merged = merges(address, mask, bytes, service);
  plan.groups = served_groups(mask, bytes, plan.merged);
  if (service == Service::bypass && mask != 0) {
    plan.groups = {mask};
    serve_past(plan, address, mask);
  }
  std::uint64_t rounds = 0;
  for (std::size_t group = 0; group < plan.groups.size() && service != Service::bypass; ++group) {
    const LaneMask lanes = plan.groups[group];
    if (service == Service::exchange_loop)
      rounds += serve_loop(plan, address, lanes, group);
    else
      serve(plan, queue_words(address, lanes, bytes, shares_words(service)), group,
            service == Service::compare_exchange ? 2 : 1);
  }
  plan.cost = cost_of(plan, mask, rounds);
  return plan;
}

}  // namespace lanescope
