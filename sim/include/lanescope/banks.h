// Shared memory: which banks one warp-wide access hits, and in how many wavefronts it is served.
//
// Rules read from the hardware counters of an NVIDIA H200 (cc 9.0) with Nsight Compute 2025.3:
//  * 32 banks, each 4 bytes wide; bank of a byte address = (address / 4) mod 32.
//  * Up to 4 bytes a lane: wavefronts = the largest number of distinct 32-bit words that any one
//    bank must serve. Lanes on the same word share it, for loads (broadcast) and for stores.
//  * 8 bytes a lane: two half-warps (lanes 0-15, 16-31), each by that rule, wavefronts added.
//  * 16 bytes a lane: four quarter-warps of 8 lanes, likewise.
//  * Wide loads merge, wide stores never do: if over the whole warp every active lane's address
//    equals that of its active lane^1 partner, or over the whole warp every active lane's address
//    equals that of its active lane^2 partner (a partner that is off does not matter), an 8-byte
//    load is served as one group of 32 lanes and a 16-byte load as two half-warps.
//  * A group with no active lane costs nothing.
//  * ldmatrix, stmatrix: each 8×8 matrix is a group of its own, 8 rows of 16 bytes; equal rows of a
//    matrix share their words, matrices never merge. Ideal: a wavefront for each matrix.
//  * Integer atomics: lanes on one word do not share it: wavefronts = the most lanes that any one
//    bank serves. Compare-and-exchange: twice that, with the conflicts of once.
//  * Sums of floats and what else has no instruction: in each round a load, as loads are served, and a
//    compare-and-exchange (2 wavefronts) by which the first lane of each bank succeeds.
//  * cp.async.ca: groups as for loads of that width, never merged. In each, the larger of: the most
//    words that one bank of the destination takes, and the most that one bank of the source (source
//    word mod 32) gives. That is exact if either side has at most one for each bank, or all words
//    move by the same number of banks; otherwise the hardware needs that many or up to 1.7 times.
//  * cp.async.cg: no conflict. A wavefront carries what goes from one line of 128 bytes to another, if halves of its
//    sectors keep their places or all change them, and no sector gives to two, takes from two, or shares its place
//    between the two steps that move it: first the lower bit of its number becomes that of its destination, then the
//    higher. That is exact for rows, swizzles and shifts of whole rows (sim/model/rows/past_copies.jsonl); where two
//    wavefronts are needed between the same lines the hardware needs that many or up to twice.
// Where lanes of a wide load share words, the profiler's own estimate (memory_l1_wavefronts_shared)
// can differ from what the hardware counts (l1tex__data_pipe_lsu_wavefronts_mem_shared); these
// rules follow the hardware. Everywhere else the two agree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

inline constexpr int kBanks = 32;
inline constexpr int kBankBytes = 4;

/// Cost of shared-memory traffic; adds up over accesses.
struct SharedCounts {
  /// warp-wide accesses with at least one active lane
  std::uint64_t requests = 0;
  /// Nsight: memory_l1_wavefronts_shared
  std::uint64_t wavefronts = 0;
  /// min(wavefronts, ceil(active lanes × bytes ÷ 128)), Nsight's "ideal"
  std::uint64_t ideal_wavefronts = 0;
  /// Wavefronts − groups that hold an active lane (the hardware's counter)
  std::uint64_t conflicts = 0;
  /// Requests of which `wavefronts` is the least that there may be: cp.async.ca in no regular order
  std::uint64_t at_least = 0;

  SharedCounts& operator+=(const SharedCounts& other);
  bool operator==(const SharedCounts&) const = default;
};

/// `address[lane]` in bytes (any base that is a multiple of 128), naturally aligned to `bytes`;
/// `bytes` is 1, 2, 4, 8 or 16. Lanes outside `mask` are ignored.
SharedCounts shared_cost(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                         Service service);
inline SharedCounts shared_cost(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                                bool is_load) {
  return shared_cost(address, mask, bytes, is_load ? Service::load : Service::store);
}

/// One 32-bit word that one wavefront serves, and the lanes that wait for it.
struct BankWord {
  int bank = 0;
  /// Byte address ÷ 4
  std::uint64_t word = 0;
  /// More than one bit: shared (a broadcast, or a wide lane's partner)
  LaneMask lanes = 0;
};

/// One wavefront: at most one word per bank.
struct Wavefront {
  /// Index of the served group (whole warp, half or quarter) it belongs to
  int group = 0;
  /// By bank, ascending
  std::vector<BankWord> words;
};

/// The full picture of one access, for drawing and for explaining. Of an asynchronous copy it is
/// that of the destination alone.
struct BankPlan {
  std::uint32_t bytes = 0;
  Service service = Service::load;
  /// The wide-load merge rule applied
  bool merged = false;
  /// Active lanes of each group served, in order; none empty
  std::vector<LaneMask> groups;
  /// In service order; of a compare-and-exchange each comes twice. Size equals shared_cost().wavefronts
  std::vector<Wavefront> wavefronts;
  SharedCounts cost;
  /// Bank with the most distinct words in one group; -1 if no lane is active
  int worst_bank = -1;
  /// How many distinct words that bank serves in that group ("16-way")
  int ways = 0;
};
BankPlan plan_banks(const LaneRow& address, LaneMask mask, std::uint32_t bytes, Service service);
inline BankPlan plan_banks(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                           bool is_load) {
  return plan_banks(address, mask, bytes, is_load ? Service::load : Service::store);
}

}  // namespace lanescope
