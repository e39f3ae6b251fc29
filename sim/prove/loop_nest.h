// The loops of a kernel's flat code.
#pragma once

#include <cstdint>
#include <vector>

#include "lower/flat.h"

namespace lanescope {

/// A loop: blocks from which a way leads back to its header without leaving it, and what they write.
/// All else stays as it is while nothing else is executed.
struct LoopBody {
  /// Index of the block
  std::uint32_t header = kNone;
  /// By block: belongs to it
  std::vector<bool> blocks;
  /// Indices of rows and predicates, ascending
  std::vector<std::uint32_t> rows, predicates;
};

struct LoopNest {
  std::vector<LoopBody> loops;
  /// By block: index of the loop whose header it is, or kNone
  std::vector<std::uint32_t> headed;
};
LoopNest find_loops(const FlatCode& code);

}  // namespace lanescope
