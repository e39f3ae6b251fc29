// A toy for the blackboard: warps of 8 lanes, 4 banks of 4 bytes. No GPU is like that; it is the same
// rules at a size that can be drawn by hand. Pure.
#pragma once

#include "core/picture/execution.h"

namespace lanescope::app {

inline constexpr int kToyLanes = 8, kToyBanks = 4;
/// How many of its warps one real warp is.
inline constexpr int kToyWarps = kLanes / kToyLanes;

/// The part of an execution that the toy's warp `part` (0 to 3 within the real one) makes: its lanes
/// alone, the others take no part. As many lanes as there are banks are served at a time, so a warp
/// is served as two groups, each by the rule of lanescope/banks.h: as many wavefronts as the largest
/// number of distinct words that one bank must serve. Global memory is left as it is.
Execution on_blackboard(Execution execution, int part);
/// The toy's bank of a byte address.
constexpr int toy_bank(std::uint64_t address) {
  return static_cast<int>(address / kBankBytes % kToyBanks);
}

}  // namespace lanescope::app
