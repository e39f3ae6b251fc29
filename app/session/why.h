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
    none,       ///< no lane is active
    single,     ///< one lane is
    uniform,    ///< all on one address
    stride,     ///< address = first + stride · lane
    rows,       ///< rows of `run` lanes: `stride` within a row, `pitch` from row to row
    irregular,  ///< none of these
  };
  Kind kind = Kind::none;
  std::int64_t stride = 0;
  int run = 0;    ///< lanes of a row
  int phase = 0;  ///< lane l is number (l + phase) mod run of row (l + phase) / run
  int rows = 0;   ///< rows that hold an active lane
  std::int64_t pitch = 0;
  bool operator==(const LanePattern&) const = default;
};
LanePattern pattern_of(const LaneRow& address, LaneMask mask);

/// What makes a shared access cheap or dear.
enum class SharedCause : std::uint8_t {
  nothing,    ///< no lane is active
  broadcast,  ///< no conflict: all lanes want one word
  multicast,  ///< no conflict: lanes share words
  free,       ///< no conflict: every bank has one word at most to serve
  exclusive,  ///< the same, because bank = lane XOR a constant: a swizzle
  stride,     ///< conflict that the stride's divisor alone explains
  rows,       ///< conflict of lanes in rows
  irregular,  ///< conflict without a simple rule
};

struct SharedWhy {
  SharedCause cause = SharedCause::nothing;
  LanePattern pattern;
  SharedCounts cost;
  std::uint32_t bytes = 0;  ///< a lane
  /// A wavefront has room for `slots` lanes side by side: 32 of up to 4 bytes, 16 of 8, 8 of 16.
  int slots = kBanks;
  /// The stride (within a row, for rows) in words, and in slots; 0 where it is no whole number.
  std::int64_t stride_words = 0, stride_slots = 0, pitch_words = 0;
  int divisor = 0;     ///< gcd(|stride in slots|, slots); 0 where there is no such stride
  int flip = 0;        ///< `exclusive`: bank = lane XOR flip
  LaneMask banks = 0;  ///< the banks that serve a word of the worst group
  int worst_bank = -1;
  int ways = 0;                       ///< words that the worst bank serves in its worst group
  LaneMask worst_lanes = 0;           ///< the lanes that wait for that bank, in that group
  std::vector<BankWord> worst_words;  ///< what they wait for, in service order
  std::vector<LaneMask> groups;       ///< served one after the other; see BankPlan
  bool merged = false;
  int shared_words = 0;  ///< words that several lanes want
  int most_sharers = 0;  ///< lanes on the word that most lanes want
};
SharedWhy explain_shared(const LaneRow& address, LaneMask mask, const BankPlan& plan);

enum class GlobalCause : std::uint8_t {
  nothing,
  uniform,     ///< all lanes want the same element: one sector
  coalesced,   ///< as few sectors as the bytes can lie in
  misaligned,  ///< neighbours, but they start inside a sector
  strided,     ///< gaps of one length between lanes
  short_rows,  ///< rows of neighbours that do not fill their sectors
  scattered,
};

struct GlobalWhy {
  GlobalCause cause = GlobalCause::nothing;
  LanePattern pattern;
  GlobalCounts cost;
  std::uint32_t bytes = 0;            ///< a lane
  std::uint64_t misalignment = 0;     ///< bytes from the start of a sector to the lowest address
  std::uint64_t aligned_sectors = 0;  ///< what it would touch if that were 0
  std::uint64_t bytes_used = 0, bytes_moved = 0;  ///< distinct bytes asked for; sectors × 32
  std::uint64_t lines = 0;
  int lanes_per_sector = 0;  ///< the most that share one
  [[nodiscard]] std::uint64_t bytes_wasted() const { return bytes_moved - bytes_used; }
};
GlobalWhy explain_global(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                         const SectorPlan& plan);

}  // namespace lanescope::app
