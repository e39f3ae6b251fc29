// What decides whether a loop ever ends: the values that its branches and its accesses' addresses are
// computed from, and not what it merely adds up.
#pragma once

#include <cstdint>
#include <vector>

#include "lower/flat.h"

namespace lanescope {

/// Of the loop round `pc`, the outermost that it lies in.
struct LoopSlice {
  struct Value {
    /// Of a row or predicate (lower/operands.h)
    std::uint32_t number = 0;
    /// A row of 64 bits
    bool wide = false;
  };
  std::vector<Value> values;
  /// What memory holds is among it
  bool reads_memory = false;
};

/// Blocks on a way of at most `most` steps that leads from one back to itself, that one with them.
std::vector<bool> short_round(const FlatCode& code, std::uint32_t block, std::uint32_t most);

/// Values that come from outside of the loop stay what they are in it, and are left out; so are those that
/// lead to no branch and to no address.
LoopSlice slice_of_loop(const FlatCode& code, std::uint32_t pc);

}  // namespace lanescope
