// Source texts of memory accesses, found in the syntax tree, keyed by where the compiler says they
// are.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

struct AccessText {
  /// "tile[threadIdx.x][threadIdx.y]"
  std::string text;
  /// {"threadIdx.x", "threadIdx.y"}
  std::vector<std::string> indices;
  /// "tile"
  std::string root;
};

/// Both maps are keyed by (line, column) in the kernel text.
struct AccessTexts {
  using Key = std::pair<std::uint32_t, std::uint32_t>;
  /// At the start of the expression
  std::map<Key, AccessText> loads;
  /// At the assignment operator: its left-hand side
  std::map<Key, AccessText> stores;
  /// At the assignment operator: its right-hand side, for struct copies
  std::map<Key, AccessText> sources;
};

}  // namespace lanescope
