// Global memory: which 32-byte sectors and 128-byte lines one warp-wide request touches.
//
// Rules read from the hardware counters of an NVIDIA H200 with Nsight Compute 2025.3:
//  * one request per executed warp instruction with at least one active lane;
//  * sectors = distinct 32-byte sectors touched by the active lanes, whatever the access width;
//  * "ideal" sectors = min(sectors, ceil(active lanes × bytes ÷ 32)), what the same bytes would
//    take if they lay side by side. Lanes that share bytes (a broadcast) may need fewer, hence the
//    minimum.
//  * atomics, with and without a result: sectors = Σ over the sectors touched of the greatest number
//    of lanes on one 32-bit word of that sector.
//  * cp.async.cg: a lane whose destination a later lane has, too, copies nothing; sectors = distinct
//    pairs of source sector and 32 bytes of the destination. The hardware may need fewer where one
//    sector feeds two of those.
#pragma once

#include <cstdint>
#include <vector>

#include "lanescope/banks.h"
#include "lanescope/types.h"

namespace lanescope {

inline constexpr std::uint64_t kSectorBytes = 32;
inline constexpr std::uint64_t kLineBytes = 128;

/// Cost of global-memory traffic; adds up over accesses.
struct GlobalCounts {
  std::uint64_t requests = 0;
  /// Nsight: memory_l2_theoretical_sectors_global
  std::uint64_t sectors = 0;
  /// Nsight: memory_l2_theoretical_sectors_global_ideal
  std::uint64_t ideal_sectors = 0;
  /// Active lanes × bytes
  std::uint64_t bytes_asked = 0;

  /// Bytes asked ÷ bytes moved, in [0, …]; above 1 when lanes share sectors' bytes; 0 when nothing
  /// moved.
  [[nodiscard]] double efficiency() const {
    return sectors == 0
               ? 0.0
               : static_cast<double>(bytes_asked) / static_cast<double>(sectors * kSectorBytes);
  }
  GlobalCounts& operator+=(const GlobalCounts& other);
  bool operator==(const GlobalCounts&) const = default;
};

/// `address[lane]` in bytes; lanes outside `mask` are ignored.
GlobalCounts global_cost(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                         Service service = Service::load);

struct Sector {
  /// Of its first byte, a multiple of 32
  std::uint64_t address = 0;
  /// Who touches it
  LaneMask lanes = 0;
  /// Distinct bytes asked for, 0..32
  std::uint32_t bytes_used = 0;
  /// Bit i: byte i of the sector was asked for
  std::uint32_t byte_mask = 0;
};

struct Line {
  /// Of its first byte, a multiple of 128
  std::uint64_t address = 0;
  /// The touched ones, ascending, 1 to 4
  std::vector<Sector> sectors;
};

/// The full picture of one request, for drawing and for explaining.
struct SectorPlan {
  /// Ascending
  std::vector<Line> lines;
  GlobalCounts cost;
  /// Distinct bytes
  std::uint64_t bytes_used = 0;
  /// Sectors × 32
  std::uint64_t bytes_moved = 0;
};
SectorPlan plan_sectors(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                        Service service = Service::load);

/// What one cp.async costs on both of its sides: `from` in global, `to` in shared memory.
struct CopyCounts {
  SharedCounts shared;
  GlobalCounts global;
};
CopyCounts copy_cost(const LaneRow& from, const LaneRow& to, LaneMask mask, std::uint32_t bytes,
                     Service service);

}  // namespace lanescope
