// A bulk copy that a lane asks for, as pieces: what is moved and what is looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "lanescope/types.h"
#include "lower/flat.h"

namespace lanescope {

/// Bytes that lie side by side on both sides.
struct BulkPiece {
  /// Offset in shared memory
  std::uint32_t shared = 0;
  std::uint32_t bytes = 0;
  /// Address; 0 where a tile reaches past its tensor: zeros are copied to shared memory, and nothing from it
  std::uint64_t global = 0;
};

struct BulkMove {
  bool to_shared = true;
  /// With what lies there already: in no order with others that do so
  bool reduces = false;
  int lane = 0;
  /// Offset in shared memory of the mbarrier that counts the bytes; kNone where the thread waits for groups
  std::uint32_t mbarrier = kNone;
  /// Of the block of the cluster whose shared memory it is; kNone of the own
  std::uint32_t rank = kNone;
  /// The copy is the last that the mbarrier's phase waited for
  bool completes = false;
  std::vector<BulkPiece> pieces;
};

}  // namespace lanescope
