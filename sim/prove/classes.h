// Whole-grid counts from one symbolic block of each class.
#pragma once

#include <string>
#include <vector>

#include "prove/symbolic.h"

namespace lanescope {

struct ClassCounts {
  bool proved = false;
  /// When not
  std::string reason;
  /// Disjoint, together the whole grid: the classes
  std::vector<Box> boxes;
  std::vector<AccessCounts> accesses;
  std::vector<std::uint64_t> block_entries;
};

/// Starts with the whole grid as one box and splits it where a condition is not the same
/// everywhere.
ClassCounts count_by_classes(const Machine& machine);

}  // namespace lanescope
