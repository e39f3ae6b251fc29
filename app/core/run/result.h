// What a run came to, besides its counts by access.
#pragma once

#include <cstdint>

#include "lanescope/banks.h"
#include "lanescope/message.h"
#include "lanescope/sectors.h"

namespace lanescope::app {

struct ResultCheck {
  /// There was a reference and the whole grid ran
  bool checked = false;
  bool correct = false;
  /// First wrong element: where, expected, got
  Message message;
};

/// Totals of one source line, for the heat in the gutter.
struct LineTotals {
  std::uint32_t line = 0;
  /// warp-wide, of the most executed operation on the line
  std::uint64_t executions = 0;
  SharedCounts shared;
  GlobalCounts global;
};

}  // namespace lanescope::app
