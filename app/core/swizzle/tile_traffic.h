// All that a block did to one tile of shared memory: what it costs as it was recorded, what it would were
// the tile's bytes swizzled, and the best swizzle for it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/picture/picture.h"
#include "core/swizzle/swizzle.h"
#include "lanescope/banks.h"

namespace lanescope::app {

/// One warp's execution of an access; executions with equal lanes are one.
struct TileRequest {
  Service service = Service::load;
  /// A lane
  std::uint32_t bytes = 4;
  LaneMask mask = 0;
  /// Bytes from the tile's beginning; 0 where a lane is not active
  LaneRow offset{};
  /// How many executions
  std::uint64_t times = 0;
};

struct TileTraffic {
  /// Index in KernelInfo::shared_arrays
  int array = -1;
  /// Bytes from the beginning of shared memory to the tile, and of the tile
  std::uint64_t begin = 0, bytes = 0;
  std::uint32_t element_bytes = 4;
  /// That reach the tile, ascending; loads, stores and copies
  std::vector<int> accesses;
  std::vector<TileRequest> requests;
};
/// The tile where an access has its worst conflict in the inspected block: its array; of memory whose
/// elements the text does not tell (`extern __shared__ char`), what the access reaches and all that
/// overlaps with it. nullopt where there is no conflict, no trace, or too much to look at.
std::optional<TileTraffic> tile_traffic(const Picture& picture, int access);

/// What all of it costs with offsets swizzled. Of asynchronous copies it is the destination's share.
SharedCounts cost_with(const TileTraffic& traffic, const Swizzle& swizzle);

struct BetterSwizzle {
  /// Over elements
  Swizzle swizzle;
  SharedCounts now, after;
};
/// Of every swizzle that leaves each lane's bytes together, that with fewest wavefronts; among equals
/// one by whole rows (`pitch` elements from row to row, 0: unknown), then that with fewest bits.
/// nullopt if none has fewer conflicts than there are now.
std::optional<BetterSwizzle> better_swizzle(const TileTraffic& traffic, std::uint64_t pitch);

/// A swizzle as arithmetic on row and column: which rows choose, and what their number is
/// exclusive-ored into.
struct RowSwizzle {
  /// The row's number is taken shifted right by so many bits, and then of these bits alone
  int row_shift = 0;
  std::uint64_t mask = 0;
  /// Elements of a unit of the column: 8 halves are a chunk of 16 bytes
  std::uint64_t unit = 1;
};
/// nullopt where rows of this pitch do not begin at the swizzle's bits.
std::optional<RowSwizzle> by_rows(const Swizzle& swizzle, std::uint64_t pitch);

/// "chunk ^ (row & 7)", by elements' columns "column ^ (row & 31)"; where rows do not tell, of the
/// element's number: "index ^ (index >> 3 & 56)".
std::string formula_of(const Swizzle& swizzle, std::uint64_t pitch, std::uint32_t element_bytes);
/// The last subscript swizzled, as source: "8 * c ^ (r & 7) * 8".
std::string swizzled_subscript(const RowSwizzle& rows, const std::string& row,
                               const std::string& column);

}  // namespace lanescope::app
