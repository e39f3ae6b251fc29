// Whole-grid counts from one symbolic block of each class.
#pragma once

#include <string>
#include <vector>

#include "prove/symbolic.h"

namespace lanescope {

/// What the proof came to, and the whole grid's counts if it holds.
struct ClassCounts {
  bool proved = false;
  /// When not
  std::string reason;
  /// Disjoint, together the whole grid: the classes
  std::vector<Box> boxes;
  /// By AccessInfo::id
  std::vector<AccessCounts> accesses;
  /// By FlatBlock of the lean code: how many warps entered it
  std::vector<std::uint64_t> block_entries;
};

/// Starts with the whole grid as one box and splits it where a condition is not the same
/// everywhere. `machine` is one of the lean code; its memory is not touched.
ClassCounts count_by_classes(const Machine& machine);

}  // namespace lanescope
