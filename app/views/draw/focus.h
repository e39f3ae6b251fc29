// What the selection points at, worked out once for all views: the access, its lanes, its cost, its
// chain.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/picture/chain.h"
#include "core/picture/execution.h"
#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "lanescope/trace.h"

namespace lanescope::app {

struct Focus {
  /// Another number whenever it is of another picture, warp, step or access; 0 of nothing. What a view makes
  /// of it can be kept as long as it stays.
  std::uint64_t serial = 0;
  /// Null: nothing recorded
  const BlockTrace* trace = nullptr;
  /// The selected warp's
  const WarpTrack* track = nullptr;
  std::uint32_t warp = 0;
  /// Within the track
  std::size_t step = 0;
  /// The selected one; null for none
  const AccessInfo* access = nullptr;
  /// The execution of `access` that is shown: at the current step if it is one, else the last
  /// before it, else the first after it. nullopt: this warp never executes it.
  std::optional<Execution> shown;
  /// Where the same lanes' values come from or go to in the other memory: the tile's side of a
  /// global access, or the other way round. nullopt if there is no such access in this warp.
  std::optional<Execution> partner;
  /// Of every active lane
  std::array<std::vector<ChainLink>, kLanes> chains;
  /// By KernelInfo::variables, before `step`
  std::vector<VariableValues> variables;

  /// The chain of the shown lane or cell
  std::vector<ChainLink> lit;
  /// The selected warp's lane in it
  int lit_lane = -1;

  [[nodiscard]] bool active(int lane) const { return shown && shown->active(lane); }
  /// What to show of one memory: the selected access, else its partner, else nothing.
  [[nodiscard]] const Execution* in(MemorySpace space) const {
    if (shown && shown->space == space) return &*shown;
    return partner && partner->space == space ? &*partner : nullptr;
  }
  [[nodiscard]] LaneMask step_mask() const {
    return track && step < track->size() ? track->mask[step] : 0;
  }
};

/// Recomputes what changed since the last call; cheap when nothing did.
class FocusCache {
 public:
  const Focus& update(const Picture* picture, const Selection& selection);

 private:
  struct Key {
    std::uint64_t serial = 0;
    std::uint32_t warp = 0;
    std::size_t step = 0;
    int access = -1;
    bool operator==(const Key&) const = default;
  };
  std::optional<Key> key_;
  const Picture* picture_ = nullptr;
  int shown_lane_ = -1;
  std::optional<Cell> shown_cell_;
  std::uint64_t made_ = 0;
  Focus focus_;
};

}  // namespace lanescope::app
