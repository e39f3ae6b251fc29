// The cost rules of lanescope/banks.h and lanescope/sectors.h, written for the interpreter, which
// asks for every simulated access.
//
// Both rules come down to "how many different things": words per bank, sectors per warp. Two
// answers are quick. When the lanes are affine (address[i] = address[0] + i × stride) arithmetic
// gives it. In any other case every lane is compared with the lanes before it, one distance at a
// time: the lanes are stored after 32 sentinels, so that "the lane k before me" is a plain load k
// elements further down, and all 32 lanes are compared in one or two vector operations without a
// branch.
//
// The functions are `static`: a file compiled for AVX2 must keep its own copies.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "lanescope/trace.h"

namespace lanescope::cost {

/// `times` accesses that cost what `one` does. Not SharedCounts' own operator: a call for each access is slow.
static inline void add(SharedCounts& to, const SharedCounts& one, std::uint64_t times = 1) {
  to.requests += times * one.requests;
  to.wavefronts += times * one.wavefronts;
  to.ideal_wavefronts += times * one.ideal_wavefronts;
  to.conflicts += times * one.conflicts;
  to.at_least += times * one.at_least;
}
static inline void add(GlobalCounts& to, const GlobalCounts& one, std::uint64_t times = 1) {
  to.requests += times * one.requests;
  to.sectors += times * one.sectors;
  to.ideal_sectors += times * one.ideal_sectors;
  to.bytes_asked += times * one.bytes_asked;
}
static inline void add(AccessCounts& to, const AccessCounts& one, std::uint64_t times = 1) {
  to.executions += times * one.executions;
  add(to.shared, one.shared, times);
  add(to.global, one.global, times);
}

/// Offsets must stay below this for the 16-bit comparisons of `shared`; every GPU's shared memory
/// does.
inline constexpr std::uint32_t kSharedReach = (1u << 18) - 128;

/// Vectors of the compiler's own making, as wide as the instructions the file is compiled for.
#ifdef __AVX2__
#define LANESCOPE_VECTOR_BYTES 32
#else
#define LANESCOPE_VECTOR_BYTES 16
#endif
using Vector8 = std::uint8_t __attribute__((vector_size(LANESCOPE_VECTOR_BYTES)));
using Vector16 = std::uint16_t __attribute__((vector_size(LANESCOPE_VECTOR_BYTES)));
using Vector32 = std::uint32_t __attribute__((vector_size(LANESCOPE_VECTOR_BYTES)));
#undef LANESCOPE_VECTOR_BYTES

/// For each lane a key of all ones if some earlier lane holds the same key, else 0. `key` holds 32
/// sentinels, then the lanes; no lane's key that matters equals a sentinel.
template <typename Vector, typename Key>
static inline void repeats(const Key* key, Key* repeated) {
  constexpr std::size_t kWidth = sizeof(Vector) / sizeof(Key);
  for (std::size_t part = 0; part < 32; part += kWidth) {
    Vector lanes, other, seen{};
    std::memcpy(&lanes, key + 32 + part, sizeof lanes);
    for (std::size_t distance = 1; distance < part + kWidth; ++distance) {
      std::memcpy(&other, key + 32 + part - distance, sizeof other);
      seen |= reinterpret_cast<Vector>(lanes == other);
    }
    std::memcpy(repeated + part, &seen, sizeof seen);
  }
}

/// For each lane, how many earlier lanes hold the same key (32 sentinels, then the lanes).
static inline void ranks(const std::uint8_t* key, std::uint8_t* rank) {
  for (std::size_t part = 0; part < 32; part += sizeof(Vector8)) {
    Vector8 lanes, other, sum{};
    std::memcpy(&lanes, key + 32 + part, sizeof lanes);
    for (std::size_t distance = 1; distance < part + sizeof(Vector8); ++distance) {
      std::memcpy(&other, key + 32 + part - distance, sizeof other);
      sum -= reinterpret_cast<Vector8>(lanes == other);
    }
    std::memcpy(rank + part, &sum, sizeof sum);
  }
}

static inline std::uint32_t low_bit(std::uint32_t value) { return value & (0u - value); }

/// Are all active lanes' offsets equal to those of their active partners lane^distance?
static inline bool partners_equal(const std::uint32_t* offset, LaneMask mask, int distance) {
  std::uint32_t different = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t both = (mask >> lane) & (mask >> (lane ^ distance)) & 1;
    different |= (offset[lane] ^ offset[lane ^ distance]) & (0u - both);
  }
  return different == 0;
}

/// Wavefronts of an affine access by a full warp, or 0 when arithmetic does not tell.
/// With stride s (in units of what a lane takes, at least one word) over n banks of that unit, a
/// group of n lanes puts gcd(s, n) lanes on each bank it hits, all on different units.
static inline std::uint32_t affine_wavefronts(std::uint32_t stride, std::uint32_t bytes,
                                              bool is_load) {
  if (bytes <= 4) {
    if (stride == 0) return 1;
    if (stride % 4 != 0) return stride < 4 || 0u - stride < 4 ? 1 : 0;
    return low_bit((stride / 4) | 32);
  }
  const std::uint32_t groups = bytes / 4;  // 2 halves or 4 quarters
  if (stride == 0) return is_load ? groups / 2 : groups;
  return groups * low_bit((stride / bytes) | (32 / groups));
}

static inline std::uint32_t groups_of(std::uint32_t bytes, bool merged) {
  const std::uint32_t groups = bytes <= 4 ? 1 : bytes / 4;
  return merged ? groups / 2 : groups;
}

static inline SharedCounts shared_counts(std::uint32_t wavefronts, std::uint32_t served,
                                         LaneMask mask, std::uint32_t bytes) {
  const auto lanes = static_cast<std::uint32_t>(active_lanes(mask));
  return {1, wavefronts, std::min(wavefronts, (lanes * bytes + 127) / 128), wavefronts - served};
}

/// Any mask, any offsets below kSharedReach.
static inline SharedCounts shared_general(const std::uint32_t* offset, LaneMask mask,
                                          std::uint32_t bytes, bool is_load) {
  const bool merged =
      bytes > 4 && is_load && (partners_equal(offset, mask, 1) || partners_equal(offset, mask, 2));
  const std::uint32_t groups = groups_of(bytes, merged);
  const auto group_shift = static_cast<std::uint32_t>(std::countr_zero(32 / groups));
  const auto unit_shift = static_cast<std::uint32_t>(std::countr_zero(std::max(bytes, 4u)));
  const std::uint32_t banks = 128u >> unit_shift;

  // A unit is what one lane takes: one, two or four words, in as many adjacent banks. The group is
  // part of both keys, so that lanes of different groups never meet.
  alignas(32) std::uint16_t unit[64], repeated[32];
  alignas(32) std::uint8_t bank[64], rank[32];
  std::fill_n(unit, 32, std::uint16_t{0xFFFF});
  std::fill_n(bank, 32, std::uint8_t{0xFF});
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t off = ((mask >> lane) & 1) - 1;  // all ones when the lane is off
    const std::uint32_t index = offset[lane] >> unit_shift;
    unit[32 + lane] =
        static_cast<std::uint16_t>(index | (lane >> group_shift) << (18 - unit_shift) | off);
    bank[32 + lane] =
        static_cast<std::uint8_t>((index & (banks - 1)) | (lane >> group_shift) * banks | off);
  }
  repeats<Vector16>(unit, repeated);
  for (int lane = 0; lane < 32; ++lane)
    bank[32 + lane] |= static_cast<std::uint8_t>(repeated[lane]);
  ranks(bank, rank);
  for (int lane = 0; lane < 32; ++lane)
    rank[lane] = bank[32 + lane] == 0xFF ? 0 : static_cast<std::uint8_t>(rank[lane] + 1);

  std::uint8_t most[4] = {};
  for (int part = 0; part < 4; ++part)
    for (int lane = 0; lane < 8; ++lane) most[part] = std::max(most[part], rank[8 * part + lane]);
  std::uint32_t wavefronts = 0, served = 0;
  const int parts = static_cast<int>(4 / groups);  // quarters in a group
  for (int part = 0; part < 4; part += parts) {
    std::uint8_t deepest = 0;
    for (int i = 0; i < parts; ++i) deepest = std::max(deepest, most[part + i]);
    wavefronts += deepest;
    served += deepest != 0;
  }
  return shared_counts(wavefronts, served, mask, bytes);
}

/// Wavefronts of two rows of 16 lanes at a word stride, the second row starting `delta` words after
/// the first, when no word belongs to both rows.
using TwoRows = std::array<std::array<std::uint8_t, 32>, 32>;
static constexpr TwoRows two_rows_table() {
  TwoRows table{};
  for (int stride = 0; stride < 32; ++stride) {
    std::array<std::uint8_t, 32> row{};
    for (int lane = 0; lane < (stride == 0 ? 1 : 16); ++lane) row[lane * stride % 32] += 1;
    for (int delta = 0; delta < 32; ++delta)
      for (int bank = 0; bank < 32; ++bank) {
        const auto sum = static_cast<std::uint8_t>(row[bank] + row[(bank + 32 - delta) % 32]);
        table[stride][delta] = std::max(table[stride][delta], sum);
      }
  }
  return table;
}
static constexpr TwoRows kTwoRows = two_rows_table();

/// Two rows of 16 lanes at the same stride, one word a lane, both rows apart; 0 when it is not
/// that.
static inline std::uint32_t two_rows_wavefronts(const std::uint32_t* offset) {
  const std::uint32_t stride = offset[1] - offset[0], delta = offset[16] - offset[0];
  std::uint32_t bent = 0;
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    bent |= offset[lane] - (offset[0] + lane * stride);
    bent |= offset[lane + 16] - (offset[lane] + delta);
  }
  const auto reach = static_cast<std::int32_t>(15 * stride);
  const std::int32_t gap = static_cast<std::int32_t>(delta);
  const bool apart = std::abs(gap) > std::abs(reach);
  if (bent != 0 || !apart) return 0;
  if (stride % 128 == 0 && stride != 0) return delta % 128 == 0 ? 32 : 16;
  return kTwoRows[(stride / 4) & 31][(delta / 4) & 31];
}

/// `offset[lane]` in bytes from any multiple of 128, below kSharedReach, naturally aligned to
/// `bytes` (1, 2, 4, 8 or 16). At least one lane is active. Equals lanescope::shared_cost.
static inline SharedCounts shared(const std::uint32_t* offset, LaneMask mask, std::uint32_t bytes,
                                  bool is_load) {
  if (mask == kAllLanes) {
    const std::uint32_t first = offset[0], stride = offset[1] - first;
    std::uint32_t bent = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) bent |= offset[lane] - (first + lane * stride);
    const std::uint32_t wavefronts = bent == 0    ? affine_wavefronts(stride, bytes, is_load)
                                     : bytes == 4 ? two_rows_wavefronts(offset)
                                                  : 0;
    if (wavefronts != 0)
      return shared_counts(wavefronts,
                           groups_of(bytes, is_load && bytes > 4 && stride == 0 && bent == 0), mask,
                           bytes);
  }
  return shared_general(offset, mask, bytes, is_load);
}

/// Distinct sectors, numbered from `first` on in less than what a key holds.
template <typename Vector, typename Key>
static inline std::uint32_t distinct_sectors(const std::uint64_t* address, std::uint64_t first) {
  alignas(32) Key key[64], repeated[32];
  std::fill_n(key, 32, static_cast<Key>(~Key{0}));
  for (int lane = 0; lane < kLanes; ++lane)
    key[32 + lane] = static_cast<Key>((address[lane] >> 5) - first);
  repeats<Vector>(key, repeated);
  std::uint32_t fresh = 0;
  for (int lane = 0; lane < kLanes; ++lane) fresh += repeated[lane] == 0;
  return fresh;
}

/// Distinct sectors in any order. Lanes that are off must repeat an active lane's address.
static inline std::uint32_t sectors_general(const std::uint64_t* address) {
  std::uint64_t low = address[0], high = address[0];
  for (int lane = 1; lane < kLanes; ++lane) {
    low = std::min(low, address[lane]);
    high = std::max(high, address[lane]);
  }
  low >>= 5;
  const std::uint64_t reach = (high >> 5) - low;
  if (reach < 0xFFFF) return distinct_sectors<Vector16, std::uint16_t>(address, low);
  if (reach < 0xFFFFFFFF) return distinct_sectors<Vector32, std::uint32_t>(address, low);
  std::uint64_t sorted[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) sorted[lane] = address[lane] >> 5;
  std::sort(sorted, sorted + kLanes);
  return static_cast<std::uint32_t>(std::unique(sorted, sorted + kLanes) - sorted);
}

/// Distinct sectors of 32 addresses.
static inline std::uint32_t sectors_of(const std::uint64_t* address) {
  const std::uint64_t first = address[0], last = address[31], stride = address[1] - first;
  std::uint64_t bent = 0;
  for (std::uint64_t lane = 0; lane < 32; ++lane) bent |= address[lane] - (first + lane * stride);
  if (bent == 0) {
    // A step of at most a sector skips none; a longer one enters a new sector every time.
    const bool forward = static_cast<std::int64_t>(stride) >= 0;
    if ((forward ? stride : 0 - stride) > 32) return kLanes;
    const std::uint64_t a = first >> 5, b = last >> 5;
    return static_cast<std::uint32_t>((forward ? b - a : a - b) + 1);
  }
  std::uint64_t falls = 0, changes = 0;
  for (int lane = 1; lane < kLanes; ++lane) {
    const std::uint64_t here = address[lane] >> 5, before = address[lane - 1] >> 5;
    falls += here < before;
    changes += here != before;
  }
  if (falls == 0 || falls == changes) return static_cast<std::uint32_t>(changes) + 1;
  return sectors_general(address);
}

/// `address[lane]` in bytes, naturally aligned to `bytes`. At least one lane is active. Equals
/// lanescope::global_cost.
static inline GlobalCounts global(const std::uint64_t* address, LaneMask mask,
                                  std::uint32_t bytes) {
  std::uint32_t sectors;
  if (mask == kAllLanes) {
    sectors = sectors_of(address);
  } else {
    alignas(32) std::uint64_t filled[kLanes];
    std::uint64_t last = address[std::countr_zero(mask)];
    for (int lane = 0; lane < kLanes; ++lane) {
      last = (mask >> lane) & 1 ? address[lane] : last;
      filled[lane] = last;
    }
    sectors = sectors_of(filled);
  }
  const auto lanes = static_cast<std::uint32_t>(active_lanes(mask));
  return {1, sectors, std::min(sectors, (lanes * bytes + 31) / 32), std::uint64_t{lanes} * bytes};
}

}  // namespace lanescope::cost
