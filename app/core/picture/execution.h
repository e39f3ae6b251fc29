// One warp-wide execution of an access, as it was recorded: addresses, cost, and where they lie. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/picture/picture.h"
#include "lanescope/banks.h"
#include "lanescope/sectors.h"
#include "lanescope/trace.h"

namespace lanescope::app {

/// One warp-wide execution of an access, with its cost.
struct Execution {
  const AccessInfo* access = nullptr;
  std::size_t step = 0;
  LaneMask mask = 0;
  LaneRow address{};
  MemorySpace space = MemorySpace::generic;
  /// Shared memory only
  std::optional<BankPlan> banks;
  /// Global memory only
  std::optional<SectorPlan> sectors;

  [[nodiscard]] bool active(int lane) const { return lane >= 0 && (mask >> lane & 1u) != 0; }
};
/// Of a warp's step; nullopt if no lanes make it, or their addresses were not kept.
std::optional<Execution> execution_at(const Picture& picture, const WarpTrack& track,
                                      std::size_t step);

/// Where an address lies, in words and numbers.
struct Place {
  /// "in", "tile"; empty if unknown
  std::string name;
  MemorySpace space = MemorySpace::generic;
  /// Index in Picture::buffers or KernelInfo::shared_arrays
  int array = -1;
  /// Linear index
  std::uint64_t element = 0;
  /// Of the address from the beginning of the array or buffer
  std::uint64_t offset = 0;
  /// By the array's extents, outermost first
  std::vector<std::uint64_t> subscripts;
  /// The tensor that has an element there, which gives the place its name; null for none
  PlacedTensorPtr tensor;
  TensorElement at;
  /// "tile[3][5]", of a tensor "sA(3,5)"
  [[nodiscard]] std::string text() const;
};
Place locate(const Picture& picture, std::uint64_t address);

MemorySpace space_of(std::uint64_t address);

}  // namespace lanescope::app
