// The one selection that all views share, and how it can be moved.
#pragma once

#include <cstdint>
#include <optional>

#include "lanescope/types.h"

namespace lanescope::app {

/// One element in memory: a byte address in one of the windows of lanescope/memory.h.
struct Cell {
  std::uint64_t address = 0;
  std::uint32_t bytes = 4;
  bool operator==(const Cell&) const = default;
};

struct Selection {
  std::uint32_t warp = 0;
  /// In the selected warp's track; the step about to be looked at
  std::size_t step = 0;
  /// Index in KernelInfo::accesses
  int access = -1;
  /// Pinned lane, -1 for none
  int lane = -1;
  /// Pinned cell
  std::optional<Cell> cell;
  // Hover outranks the pinned lane and cell while the pointer rests on one.
  int hover_lane = -1;
  std::optional<Cell> hover_cell;

  [[nodiscard]] int shown_lane() const { return hover_lane >= 0 ? hover_lane : lane; }
};

enum class StepMove {
  first,
  back,
  forward,
  previous_line,
  next_line,
  previous_access,
  next_access,
  previous_barrier,
  next_barrier,
  last
};

}  // namespace lanescope::app
