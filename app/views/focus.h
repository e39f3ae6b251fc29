// What the selection points at, worked out once for all views: the access, its lanes, its cost, its
// chain.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lanescope/banks.h"
#include "lanescope/sectors.h"
#include "lanescope/trace.h"
#include "session/chain.h"
#include "session/picture.h"
#include "session/selection.h"

namespace lanescope::app {

/// One warp-wide execution of an access, with its cost.
struct Execution {
  const AccessInfo* access = nullptr;
  std::size_t step = 0;
  LaneMask mask = 0;
  LaneRow address{};
  MemorySpace space = MemorySpace::generic;
  std::optional<BankPlan> banks;      ///< shared memory only
  std::optional<SectorPlan> sectors;  ///< global memory only

  [[nodiscard]] bool active(int lane) const { return lane >= 0 && (mask >> lane & 1u) != 0; }
};

struct Focus {
  const BlockTrace* trace = nullptr;  ///< null: nothing recorded
  const WarpTrack* track = nullptr;   ///< the selected warp's
  std::uint32_t warp = 0;
  std::size_t step = 0;                ///< within the track
  const AccessInfo* access = nullptr;  ///< the selected one; null for none
  /// The execution of `access` that is shown: at the current step if it is one, else the last
  /// before it, else the first after it. nullopt: this warp never executes it.
  std::optional<Execution> shown;
  /// Where the same lanes' values come from or go to in the other memory: the tile's side of a
  /// global access, or the other way round. nullopt if there is no such access in this warp.
  std::optional<Execution> partner;
  std::array<std::vector<ChainLink>, kLanes> chains;  ///< of every active lane
  std::vector<VariableValues> variables;              ///< by KernelInfo::variables, before `step`

  std::vector<ChainLink> lit;  ///< the chain of the shown lane or cell
  int lit_lane = -1;           ///< the selected warp's lane in it

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
  Focus focus_;
};

/// Where an address lies, in words and numbers.
struct Place {
  std::string name;  ///< "in", "tile"; empty if unknown
  MemorySpace space = MemorySpace::generic;
  int array = -1;             ///< index in Picture::buffers or KernelInfo::shared_arrays
  std::uint64_t element = 0;  ///< linear index
  std::vector<std::uint64_t> subscripts;   ///< by the array's extents, outermost first
  [[nodiscard]] std::string text() const;  ///< "tile[3][5]"
};
Place locate(const Picture& picture, std::uint64_t address);

MemorySpace space_of(std::uint64_t address);

}  // namespace lanescope::app
