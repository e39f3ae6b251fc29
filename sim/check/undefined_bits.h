// Which bits of a result mean nothing where bits of the operands do: what of a union or of a bit-field's word
// has been set is told apart from its neighbours, however they are moved.
#pragma once

#include <cstdint>

#include "lower/flat.h"

namespace lanescope {

/// A lane's operand, and its bits that mean nothing.
struct PartlySet {
  std::uint64_t value = 0, unset = 0;
  /// Of the operand's width
  std::uint64_t all = 0xffff'ffff;
};

/// Whether the code keeps bits apart, or says what it makes of each: others mix them.
bool moves_bits(Code code);
/// Of the result, of which `all` is every bit; of a comparison 0 where the bits that mean something decide.
std::uint64_t unset_after(Code code, const PartlySet& x, const PartlySet& y, const PartlySet& z,
                          std::uint64_t all);

}  // namespace lanescope
