// The cost rules once more, straight from the words of banks.h and sectors.h, for tests to compare
// with.
#pragma once

#include <algorithm>
#include <map>
#include <set>

#include "lanescope/banks.h"
#include "lanescope/sectors.h"

namespace lanescope::reference {

inline bool on(LaneMask mask, int lane) { return (mask >> lane & 1) != 0; }

inline bool partners_agree(const LaneRow& address, LaneMask mask, int distance) {
  for (int lane = 0; lane < kLanes; ++lane)
    if (on(mask, lane) && on(mask, lane ^ distance) && address[lane] != address[lane ^ distance])
      return false;
  return true;
}

inline SharedCounts shared_cost(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                                bool is_load) {
  if (mask == 0) return {};
  int group_lanes = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  if (bytes > 4 && is_load &&
      (partners_agree(address, mask, 1) || partners_agree(address, mask, 2)))
    group_lanes *= 2;
  SharedCounts counts;
  counts.requests = 1;
  std::uint64_t served = 0;
  for (int first = 0; first < kLanes; first += group_lanes) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
    for (int lane = first; lane < first + group_lanes; ++lane)
      for (std::uint32_t byte = 0; on(mask, lane) && byte < bytes; ++byte) {
        const std::uint64_t word = (address[lane] + byte) / 4;
        words_of_bank[word % 32].insert(word);
      }
    std::uint64_t worst = 0;
    for (const auto& [bank, words] : words_of_bank)
      worst = std::max<std::uint64_t>(worst, words.size());
    counts.wavefronts += worst;
    served += worst != 0;
  }
  counts.conflicts = counts.wavefronts - served;
  const std::uint64_t lines = (static_cast<std::uint64_t>(active_lanes(mask)) * bytes + 127) / 128;
  counts.ideal_wavefronts = std::min(counts.wavefronts, lines);
  return counts;
}

/// The other services, of one group of lanes at a time; as worded in banks.h.
inline std::uint64_t most_in_bank(const LaneRow& address, LaneMask lanes, std::uint32_t bytes,
                                  bool share) {
  std::map<std::uint64_t, std::multiset<std::uint64_t>> words_of_bank;
  for (int lane = 0; lane < kLanes; ++lane)
    for (std::uint32_t word = 0; on(lanes, lane) && word < (bytes + 3) / 4; ++word) {
      const std::uint64_t at = address[static_cast<std::size_t>(lane)] / 4 + word;
      auto& words = words_of_bank[at % 32];
      if (!share || words.count(at) == 0) words.insert(at);
    }
  std::uint64_t most = 0;
  for (const auto& [bank, words] : words_of_bank)
    most = std::max<std::uint64_t>(most, words.size());
  return most;
}

inline SharedCounts served_cost(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                                Service service) {
  if (service == Service::load || service == Service::store)
    return shared_cost(address, mask, bytes, service == Service::load);
  mask = addressing_lanes(service, mask);
  if (mask == 0) return {};
  const bool is_matrix = matrices_of(service) != 0;
  const int lanes = bytes <= 4 ? 32 : 128 / static_cast<int>(bytes);
  SharedCounts counts;
  counts.requests = 1;
  std::uint64_t groups = 0, rounds = 0;
  for (int first = 0; first < kLanes; first += lanes) {
    LaneMask group = 0;
    for (int lane = first; lane < first + lanes; ++lane) group |= mask & 1u << lane;
    groups += group != 0;
    if (service != Service::exchange_loop) {
      counts.wavefronts += most_in_bank(address, group, bytes, is_matrix);
      continue;
    }
    for (; group != 0; ++rounds) {
      counts.wavefronts += 2 + most_in_bank(address, group, bytes, true);
      std::set<std::uint64_t> banks;
      for (int lane = 0; lane < kLanes; ++lane)
        if (on(group, lane) &&
            banks.insert(address[static_cast<std::size_t>(lane)] / 4 % 32).second)
          group &= ~(1u << lane);
    }
  }
  const std::uint64_t lines = (static_cast<std::uint64_t>(active_lanes(mask)) * bytes + 127) / 128;
  counts.conflicts = counts.wavefronts - groups;
  counts.ideal_wavefronts = std::min(counts.wavefronts, is_matrix ? groups : lines);
  if (service == Service::compare_exchange) counts.wavefronts *= 2, counts.ideal_wavefronts *= 2;
  if (service == Service::exchange_loop)
    counts.ideal_wavefronts = 3 * rounds, counts.conflicts = counts.wavefronts - 3 * rounds;
  return counts;
}

inline GlobalCounts global_cost(const LaneRow& address, LaneMask mask, std::uint32_t bytes) {
  std::set<std::uint64_t> sectors;
  for (int lane = 0; lane < kLanes; ++lane)
    if (on(mask, lane)) sectors.insert(address[lane] / 32);
  GlobalCounts counts;
  counts.requests = mask != 0;
  counts.sectors = sectors.size();
  counts.bytes_asked = static_cast<std::uint64_t>(active_lanes(mask)) * bytes;
  counts.ideal_sectors = std::min(counts.sectors, (counts.bytes_asked + 31) / 32);
  return counts;
}

}  // namespace lanescope::reference
