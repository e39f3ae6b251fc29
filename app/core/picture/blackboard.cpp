#include "core/picture/blackboard.h"

#include <algorithm>
#include <bit>

namespace lanescope::app {

namespace {

// The words that each bank serves for these lanes, in the order of the lanes.
std::array<std::vector<BankWord>, kToyBanks> words_of(const Execution& execution, LaneMask lanes) {
  std::array<std::vector<BankWord>, kToyBanks> banks;
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1u) == 0) continue;
    const std::uint64_t address = execution.address[static_cast<std::size_t>(lane)];
    const std::uint64_t last = address + execution.access->bytes - 1;
    for (std::uint64_t word = address / kBankBytes; word <= last / kBankBytes; ++word) {
      auto& bank = banks[word % kToyBanks];
      auto found = std::find_if(bank.begin(), bank.end(),
                                [&](const BankWord& one) { return one.word == word; });
      if (found == bank.end())
        found = bank.insert(bank.end(), {static_cast<int>(word % kToyBanks), word, 0});
      found->lanes |= LaneMask{1} << lane;
    }
  }
  return banks;
}

void serve(const Execution& execution, LaneMask lanes, BankPlan& plan) {
  const auto banks = words_of(execution, lanes);
  std::size_t most = 0;
  for (int bank = 0; bank < kToyBanks; ++bank) {
    const std::size_t words = banks[static_cast<std::size_t>(bank)].size();
    most = std::max(most, words);
    if (static_cast<int>(words) <= plan.ways) continue;
    plan.ways = static_cast<int>(words);
    plan.worst_bank = bank;
  }
  for (std::size_t turn = 0; turn < most; ++turn) {
    Wavefront wavefront{.group = static_cast<int>(plan.groups.size())};
    for (const auto& bank : banks)
      if (turn < bank.size()) wavefront.words.push_back(bank[turn]);
    plan.wavefronts.push_back(std::move(wavefront));
  }
  plan.groups.push_back(lanes);
}

}  // namespace

Execution on_blackboard(Execution execution, int part) {
  execution.mask &= LaneMask{(1u << kToyLanes) - 1} << (part * kToyLanes);
  if (!execution.banks) {
    if (execution.sectors)
      execution.sectors = plan_sectors(execution.address, execution.mask, execution.access->bytes);
    return execution;
  }
  BankPlan plan{.bytes = execution.access->bytes};
  for (int first = 0; first < kLanes; first += kToyBanks) {
    const LaneMask lanes = execution.mask & LaneMask{(1u << kToyBanks) - 1} << first;
    if (lanes) serve(execution, lanes, plan);
  }
  const auto active = static_cast<std::uint64_t>(std::popcount(execution.mask));
  constexpr std::uint64_t kWhole = kToyBanks * kBankBytes;
  plan.cost.requests = execution.mask ? 1 : 0;
  plan.cost.wavefronts = plan.wavefronts.size();
  plan.cost.ideal_wavefronts =
      std::min<std::uint64_t>(plan.cost.wavefronts, (active * plan.bytes + kWhole - 1) / kWhole);
  plan.cost.conflicts = plan.wavefronts.size() - plan.groups.size();
  execution.banks = std::move(plan);
  return execution;
}

}  // namespace lanescope::app
