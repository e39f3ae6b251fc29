// Whole-grid counts from one symbolic block of each class.
#pragma once

#include <string>
#include <vector>

#include "simt/symbolic.h"

namespace lanescope {

struct ClassCounts {
  bool proved = false;
  std::string reason;      ///< when not
  std::vector<Box> boxes;  ///< disjoint, together the whole grid: the classes
  std::vector<AccessCounts> accesses;
  std::vector<std::uint64_t> block_entries;
};

/// Starts with the whole grid as one box and splits it where a condition is not the same
/// everywhere.
ClassCounts count_by_classes(const Machine& machine);

}  // namespace lanescope
