// What an access costs that is neither a load nor a store: matrices, atomics, asynchronous copies. The rules
// are those of lanescope/banks.h and lanescope/sectors.h.
//
// The functions are `static`: a file compiled for AVX2 must keep its own copies.
#pragma once

#include "model/cost_fast.h"

namespace lanescope::cost {

/// The lanes of group `index` of so many.
static inline LaneMask group_lanes(std::uint32_t index, std::uint32_t groups) {
  const std::uint32_t lanes = kLanes / groups;
  return lanes == kLanes ? kAllLanes : ((1u << lanes) - 1) << (index * lanes);
}

/// The most lanes whose words lie in one bank.
static inline std::uint32_t most_in_bank(const std::uint32_t* offset, LaneMask lanes,
                                         std::uint32_t bytes) {
  std::uint8_t in_bank[32] = {};
  std::uint8_t most = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t first = offset[std::countr_zero(lanes)] / 4;
    for (std::uint32_t word = 0; word < (bytes + 3) / 4; ++word)
      most = std::max(most, ++in_bank[(first + word) & 31]);
  }
  return most;
}

/// The most different words that one bank serves.
static inline std::uint32_t most_words_in_bank(const std::uint32_t* offset, LaneMask lanes,
                                               std::uint32_t bytes) {
  LaneMask apart = lanes;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    for (LaneMask later = left & (left - 1); later != 0; later &= later - 1)
      if (offset[std::countr_zero(later)] / 4 == offset[lane] / 4)
        apart &= ~(1u << std::countr_zero(later));
  }
  return most_in_bank(offset, apart, bytes);
}

static inline SharedCounts matrices(const std::uint32_t* offset, LaneMask mask, int count) {
  std::uint32_t wavefronts = 0, served = 0;
  for (int matrix = 0; matrix < count; ++matrix) {
    const LaneMask rows = mask & 0xffu << 8 * matrix;
    const std::uint32_t most = rows != 0 ? most_words_in_bank(offset, rows, 16) : 0;
    wavefronts += most;
    served += most != 0;
  }
  return {1, wavefronts, std::min(wavefronts, served), wavefronts - served};
}

static inline SharedCounts exchange_loop(const std::uint32_t* offset, LaneMask mask,
                                         std::uint32_t groups, std::uint32_t bytes) {
  std::uint32_t wavefronts = 0, ideal = 0;
  for (std::uint32_t group = 0; group < groups; ++group)
    for (LaneMask left = mask & group_lanes(group, groups); left != 0;) {
      wavefronts += 2 + most_words_in_bank(offset, left, bytes);
      ideal += 3;
      std::uint32_t banks = 0;
      for (LaneMask lanes = left; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const std::uint32_t bank = 1u << (offset[lane] / 4 & 31);
        if ((banks & bank) == 0) left &= ~(1u << lane);
        banks |= bank;
      }
    }
  return {1, wavefronts, ideal, wavefronts - ideal};
}

/// Is it certain that no two active lanes are at one word? Compared modulo 2^32 words.
static inline bool are_apart(const std::uint64_t* address, LaneMask mask) {
  alignas(32) std::uint32_t word[2 * kLanes], repeated[kLanes];
  std::fill_n(word, kLanes, ~0u);
  for (int lane = 0; lane < kLanes; ++lane)
    word[kLanes + lane] = static_cast<std::uint32_t>(address[lane] >> 2);
  repeats<Vector32>(word, repeated);
  std::uint32_t any = 0;
  for (int lane = 0; lane < kLanes; ++lane) any |= repeated[lane] & (0u - (mask >> lane & 1));
  return any == 0;
}

/// Sectors of an atomic operation, or of what `global` counts. At least one lane is active.
static inline GlobalCounts served_global(const std::uint64_t* address, LaneMask mask,
                                         std::uint32_t bytes, Service service) {
  const GlobalCounts plain = global(address, mask, bytes);
  const bool is_atomic = service == Service::atomic || service == Service::compare_exchange ||
                         service == Service::exchange_loop;
  // A sector is asked for as often as the word of it that most lanes are at.
  if (!is_atomic || are_apart(address, mask)) return plain;
  std::uint64_t sectors = 0;
  for (LaneMask left = mask; left != 0;) {
    const std::uint64_t sector = address[std::countr_zero(left)] >> 5;
    std::uint8_t on_word[8] = {};
    std::uint8_t most = 0;
    for (LaneMask lanes = left; lanes != 0; lanes &= lanes - 1) {
      const std::uint64_t at = address[std::countr_zero(lanes)];
      if (at >> 5 != sector) continue;
      most = std::max(most, ++on_word[at >> 2 & 7]);
      left &= ~(1u << std::countr_zero(lanes));
    }
    sectors += most;
  }
  return {1, sectors, std::min(sectors, plain.ideal_sectors), plain.bytes_asked};
}

/// What both sides of one cp.async cost.
struct Copied {
  SharedCounts shared;
  GlobalCounts global;
};

/// The words of one group of a copy that are not another lane's, too, by banks of either side.
static inline std::uint32_t copied_group(const std::uint64_t* from, const std::uint32_t* to,
                                         LaneMask lanes, std::uint32_t words, bool& at_least) {
  std::uint8_t gives[32] = {}, takes[32] = {};
  std::uint8_t most_given = 0, most_taken = 0;
  std::uint32_t shifts = 0;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    bool repeats_earlier = false;
    for (LaneMask earlier = lanes & ((1u << lane) - 1); earlier != 0; earlier &= earlier - 1) {
      const int other = std::countr_zero(earlier);
      repeats_earlier |= from[other] == from[lane] && to[other] == to[lane];
    }
    if (repeats_earlier) continue;
    const auto source = static_cast<std::uint32_t>(from[lane] / 4);
    const std::uint32_t destination = to[lane] / 4;
    shifts |= 1u << ((source - destination) & 31);
    for (std::uint32_t word = 0; word < words; ++word) {
      most_given = std::max(most_given, ++gives[(source + word) & 31]);
      most_taken = std::max(most_taken, ++takes[(destination + word) & 31]);
    }
  }
  at_least |= most_given > 1 && most_taken > 1 && (shifts & (shifts - 1)) != 0;
  return std::max(most_given, most_taken);
}

static inline Copied copied_through(const std::uint64_t* from, const std::uint32_t* to,
                                    LaneMask mask, std::uint32_t bytes) {
  Copied out;
  const std::uint32_t groups = groups_of(bytes, false);
  std::uint32_t wavefronts = 0, served_groups = 0;
  bool at_least = false;
  for (std::uint32_t group = 0; group < groups; ++group) {
    const LaneMask lanes = mask & group_lanes(group, groups);
    if (lanes == 0) continue;
    wavefronts += copied_group(from, to, lanes, bytes / 4, at_least);
    ++served_groups;
  }
  out.shared = shared_counts(wavefronts, served_groups, mask, bytes);
  out.shared.at_least = at_least;
  out.global = global(from, mask, bytes);
  return out;
}

/// Copies past the L1 that one wavefront carries: between two lines of 128 bytes, sectors of 32 that take two steps each,
/// by the lower bit of their number first.
struct PastWave {
  std::uint64_t from_line = 0;
  std::uint32_t to_line = 0;
  /// The halves of sectors change places
  bool crosses = false;
  /// A bit for each sector of the source and of the destination, and for each place between the steps
  std::uint8_t gives = 0, takes = 0, between = 0;
  /// A bit for each way from sector to sector
  std::uint16_t ways = 0;

  [[nodiscard]] bool goes_with(const PastWave& other) const {
    return from_line == other.from_line && to_line == other.to_line && crosses == other.crosses;
  }
  [[nodiscard]] bool has_room(const PastWave& one) const {
    return goes_with(one) &&
           ((ways & one.ways) != 0 ||
            ((gives & one.gives) == 0 && (takes & one.takes) == 0 && (between & one.between) == 0));
  }
};
static inline PastWave way_past(std::uint64_t from, std::uint32_t to) {
  const auto source = static_cast<std::uint32_t>(from >> 5 & 3), sector = to >> 5 & 3;
  return {.from_line = from >> 7,
          .to_line = to >> 7,
          .crosses = ((from ^ to) >> 4 & 1) != 0,
          .gives = static_cast<std::uint8_t>(1u << source),
          .takes = static_cast<std::uint8_t>(1u << sector),
          .between = static_cast<std::uint8_t>(1u << ((source & 2) | (sector & 1))),
          .ways = static_cast<std::uint16_t>(1u << (4 * source + sector))};
}

/// In the order of lanes, each by the first wavefront that has room; more than one between the same lines may be
/// more on the hardware.
static inline std::uint32_t waves_past(const std::uint64_t* from, const std::uint32_t* to,
                                       LaneMask lanes, bool& at_least) {
  PastWave waves[kLanes];
  std::uint32_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const PastWave one = way_past(from[lane], to[lane]);
    std::uint32_t at = 0;
    bool is_second = false;
    while (at < count && !waves[at].has_room(one)) is_second |= waves[at++].goes_with(one);
    if (at == count) {
      waves[count++] = one;
      at_least |= is_second;
    } else {
      waves[at].gives |= one.gives, waves[at].takes |= one.takes;
      waves[at].between |= one.between, waves[at].ways |= one.ways;
    }
  }
  return count;
}

static inline Copied copied_past(const std::uint64_t* from, const std::uint32_t* to, LaneMask mask,
                                 std::uint32_t bytes) {
  LaneMask winners = mask;  // the last lane of each destination
  for (LaneMask left = mask; left != 0; left &= left - 1)
    for (LaneMask later = left & (left - 1); later != 0; later &= later - 1)
      if (to[std::countr_zero(later)] == to[std::countr_zero(left)])
        winners &= ~(1u << std::countr_zero(left));
  std::uint64_t sectors = 0;
  for (LaneMask left = winners; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    bool new_pair = true;
    for (LaneMask earlier = winners & ((1u << lane) - 1); earlier != 0; earlier &= earlier - 1) {
      const int other = std::countr_zero(earlier);
      new_pair &= to[other] >> 5 != to[lane] >> 5 || from[other] >> 5 != from[lane] >> 5;
    }
    sectors += new_pair;
  }
  bool at_least = false;
  const std::uint32_t wavefronts = waves_past(from, to, winners, at_least);
  Copied out;
  out.shared = shared_counts(wavefronts, wavefronts, mask, bytes);
  out.shared.at_least = at_least;
  const GlobalCounts plain = global(from, mask, bytes);
  out.global = {1, sectors, std::min(sectors, plain.ideal_sectors), plain.bytes_asked};
  return out;
}

/// One cp.async; `to` are offsets as for `shared`. At least one lane is active.
static inline Copied copied(const std::uint64_t* from, const std::uint32_t* to, LaneMask mask,
                            std::uint32_t bytes, Service service) {
  return service == Service::bypass ? copied_past(from, to, mask, bytes)
                                    : copied_through(from, to, mask, bytes);
}

/// Offsets as for `shared`. At least one lane is active. A copy by its
/// destination alone; `copied` knows both sides.
static inline SharedCounts served(const std::uint32_t* offset, LaneMask mask, std::uint32_t bytes,
                                  Service service) {
  if (service == Service::load || service == Service::store)
    return shared(offset, mask, bytes, service == Service::load);
  if (const int count = matrices_of(service); count != 0) return matrices(offset, mask, count);
  if (service == Service::bypass) {
    std::uint64_t from[kLanes];
    std::copy_n(offset, kLanes, from);
    return copied_past(from, offset, mask, bytes).shared;
  }
  const std::uint32_t groups = groups_of(bytes, false);
  if (service == Service::exchange_loop) return exchange_loop(offset, mask, groups, bytes);
  std::uint32_t wavefronts = 0, groups_served = 0;
  for (std::uint32_t group = 0; group < groups; ++group) {
    const std::uint32_t most = most_in_bank(offset, mask & group_lanes(group, groups), bytes);
    wavefronts += most;
    groups_served += most != 0;
  }
  SharedCounts cost = shared_counts(wavefronts, groups_served, mask, bytes);
  if (service == Service::compare_exchange) cost.wavefronts *= 2, cost.ideal_wavefronts *= 2;
  return cost;
}

}  // namespace lanescope::cost
