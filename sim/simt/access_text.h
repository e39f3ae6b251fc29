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
  std::string text;                  ///< "tile[threadIdx.x][threadIdx.y]"
  std::vector<std::string> indices;  ///< {"threadIdx.x", "threadIdx.y"}
  std::string root;                  ///< "tile"
};

/// Both maps are keyed by (line, column) in the kernel text.
struct AccessTexts {
  using Key = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Key, AccessText> loads;   ///< at the start of the expression
  std::map<Key, AccessText> stores;  ///< at the assignment operator: its left-hand side
  std::map<Key, AccessText>
      sources;  ///< at the assignment operator: its right-hand side, for struct copies
};

}  // namespace lanescope
