// Why one execution of an access costs what it costs: kinds and numbers, worked out from the lanes'
// addresses alone. The views make words of them. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "lanescope/banks.h"
#include "lanescope/sectors.h"
#include "lanescope/types.h"

namespace lanescope::app {

/// How the active lanes' addresses follow from lane numbers. Distances in bytes.
struct LanePattern {
  enum class Kind : std::uint8_t {
    /// No lane is active
    none,
    /// One lane is
    single,
    /// All on one address
    uniform,
    /// Address = first + stride · lane
    stride,
    /// Rows of `run` lanes: `stride` within a row, `pitch` from row to row
    rows,
    /// None of these
    irregular,
  };
  Kind kind = Kind::none;
  std::int64_t stride = 0;
  /// Lanes of a row
  int run = 0;
  /// Lane l is number (l + phase) mod run of row (l + phase) / run
  int phase = 0;
  /// Rows that hold an active lane
  int rows = 0;
  std::int64_t pitch = 0;
  bool operator==(const LanePattern&) const = default;
};
LanePattern pattern_of(const LaneRow& address, LaneMask mask);

/// What makes a shared access cheap or dear.
enum class SharedCause : std::uint8_t {
  /// No lane is active
  nothing,
  /// No conflict: all lanes want one word
  broadcast,
  /// No conflict: lanes share words
  multicast,
  /// No conflict: every bank has one word at most to serve
  free,
  /// The same, because bank = lane XOR a constant: a swizzle
  exclusive,
  /// Conflict that the stride's divisor alone explains
  stride,
  /// Conflict of lanes in rows
  rows,
  /// Conflict without a simple rule
  irregular,
};

struct SharedWhy {
  SharedCause cause = SharedCause::nothing;
  LanePattern pattern;
  /// The lanes that are served together and wait longest, where it is they alone that `pattern` tells
  /// of: rows of a matrix, or a part of a wide access whose lanes follow no rule together; else 0
  LaneMask of_group = 0;
  SharedCounts cost;
  /// A lane
  std::uint32_t bytes = 0;
  /// A wavefront has room for `slots` lanes side by side: 32 of up to 4 bytes, 16 of 8, 8 of 16.
  int slots = kBanks;
  /// The stride (within a row, for rows) in words, and in slots; 0 where it is no whole number.
  std::int64_t stride_words = 0, stride_slots = 0, pitch_words = 0;
  /// gcd(|stride in slots|, slots); 0 where there is no such stride
  int divisor = 0;
  /// `exclusive`: bank = lane XOR flip
  int flip = 0;
  /// The banks that serve a word of the worst group
  LaneMask banks = 0;
  int worst_bank = -1;
  /// Words that the worst bank serves in its worst group
  int ways = 0;
  /// The lanes that wait for that bank, in that group
  LaneMask worst_lanes = 0;
  /// What they wait for, in service order
  std::vector<BankWord> worst_words;
  /// Served one after the other; see BankPlan
  std::vector<LaneMask> groups;
  bool merged = false;
  /// Words that several lanes want
  int shared_words = 0;
  /// Lanes on the word that most lanes want
  int most_sharers = 0;
};
SharedWhy explain_shared(const LaneRow& address, LaneMask mask, const BankPlan& plan);

enum class GlobalCause : std::uint8_t {
  nothing,
  /// All lanes want the same element: one sector
  uniform,
  /// As few sectors as the bytes can lie in
  coalesced,
  /// Neighbours, but they start inside a sector
  misaligned,
  /// Gaps of one length between lanes
  strided,
  /// Rows of neighbours that do not fill their sectors
  short_rows,
  scattered,
};

struct GlobalWhy {
  GlobalCause cause = GlobalCause::nothing;
  LanePattern pattern;
  GlobalCounts cost;
  /// A lane
  std::uint32_t bytes = 0;
  /// Bytes from the start of a sector to the lowest address
  std::uint64_t misalignment = 0;
  /// What it would touch if that were 0
  std::uint64_t aligned_sectors = 0;
  /// Distinct bytes asked for; sectors × 32
  std::uint64_t bytes_used = 0, bytes_moved = 0;
  std::uint64_t lines = 0;
  /// The most that share one
  int lanes_per_sector = 0;
  [[nodiscard]] std::uint64_t bytes_wasted() const { return bytes_moved - bytes_used; }
};
GlobalWhy explain_global(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                         const SectorPlan& plan);

}  // namespace lanescope::app
