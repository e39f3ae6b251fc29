// Two runs side by side: the other settings, run in the background, the same warp and access in
// both, and the difference of every number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/picture/picture.h"
#include "core/picture/selection.h"

namespace lanescope::app {

/// The other side of a comparison; the session's own picture is the first.
struct Comparison {
  /// As asked for; the picture's own may be older
  Settings settings;
  /// Null until the inspected block has been run, or if that failed
  PicturePtr picture;
  std::vector<Diagnostic> diagnostics;
  /// What is looked at on this side
  Selection selection;
  /// The selection follows the session's
  bool linked = true;
  /// Compiling or running the inspected block
  bool busy = false;
};

/// The access of `other` that plays the part of `access`: the same text, else the same place among
/// those with the same operation, memory and array, else among those with the same operation and
/// memory. -1: nothing does.
int matching_access(const Picture& picture, int access, const Picture& other);

/// The session's selection found in the other picture: the same warp, the matching access, the same
/// execution of it (or its last one), the same lane.
Selection matching_selection(const Picture& picture, const Selection& selection,
                             const Picture& other);

/// Where the two settings differ, for people: {"PAD", "0", "1"}, {"kernel", …}.
struct SettingDifference {
  std::string name, left, right;
};
std::vector<SettingDifference> setting_differences(const Picture& left, const Picture& right);

enum class Quantity : std::uint8_t {
  requests,
  wavefronts,
  ideal_wavefronts,
  conflicts,
  sectors,
  ideal_sectors,
  /// Percent
  efficiency,
  shared_bytes,
  threads,
  blocks,
  warp_instructions
};
enum class Better : std::uint8_t { less, more, neither };
Better better(Quantity quantity);

/// One number on both sides; nullopt where a side has no such thing.
struct Difference {
  Quantity quantity = Quantity::requests;
  std::optional<double> left, right;
  /// Right minus left; nullopt unless both are there.
  [[nodiscard]] std::optional<double> change() const {
    return left && right ? std::optional(*right - *left) : std::nullopt;
  }
  /// 1: the right side is better, -1: worse, 0: equal, or neither is better than the other.
  [[nodiscard]] int verdict() const;
};

enum class Scope : std::uint8_t {
  /// The shown execution of the selected access
  execution,
  /// One access, all of its executions
  access,
  shared_load,
  shared_store,
  shared_atomic,
  shared_product,
  global_load,
  global_store,
  global_atomic,
  global_bulk_load,
  global_bulk_store,
  launch
};

struct DifferenceGroup {
  Scope scope = Scope::launch;
  /// For scopes execution and access
  int left_access = -1, right_access = -1;
  MemorySpace space = MemorySpace::generic;
  /// None where both sides have nothing
  std::vector<Difference> rows;
};

struct Differences {
  /// Of both whole grids; else of the two inspected blocks
  bool whole = false;
  std::vector<DifferenceGroup> groups;
};
Differences differences(const Picture& left, const Selection& left_selection, const Picture& right,
                        const Selection& right_selection);

}  // namespace lanescope::app
