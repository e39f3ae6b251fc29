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

/// One execution of an access by one lane.
struct ChainLink {
  /// Index in KernelInfo::accesses
  int access = -1;
  std::uint32_t warp = 0;
  /// In the warp's track
  std::size_t step = 0;
  int lane = 0;
  /// What the lane touches
  Cell cell;
  bool operator==(const ChainLink&) const = default;
};

/// The two who meet in a cell without an order between them.
struct Race {
  /// Whom the mistake names, and the other one
  ChainLink named, other;
  bool operator==(const Race&) const = default;
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
  /// Of the mistake that is shown, until something else is pinned
  std::optional<Race> race;
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
