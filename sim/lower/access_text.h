// Source texts of memory accesses, found in the syntax tree, keyed by where the compiler says they
// are.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
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

/// The maps are keyed by (line, column, file): 0 is the kernel text, others are `headers`.
struct AccessTexts {
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  /// Of the text's own, those that hold kernels, as the compiler calls them. The first is file 1
  std::vector<std::string> headers;
  /// At the start of the expression
  std::map<Key, AccessText> loads;
  /// At the assignment operator: its left-hand side
  std::map<Key, AccessText> stores;
  /// At the assignment operator: its right-hand side, for struct copies
  std::map<Key, AccessText> sources;
  /// Name of the file, without folders, line and column of the operator where a struct that is as wide as it is aligned is assigned
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> whole;
};

}  // namespace lanescope
