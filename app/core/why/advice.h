// What could be changed so that an access costs less: candidates read off the front matter, the
// text and the catalogue. Nothing here says that one helps; core/why/adviser.h runs them. Pure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel/catalog.h"
#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "core/swizzle/tile_traffic.h"
#include "core/why/bank_equation.h"
#include "core/why/why.h"

namespace lanescope::app {

/// What is to become less.
enum class AdviceGoal : std::uint8_t { none, conflicts, sectors };

/// Sums over the whole grid, all accesses together.
struct GridCost {
  SharedCounts shared;
  GlobalCounts global;
  bool operator==(const GridCost&) const = default;
};
GridCost grid_cost(const RunResult& run);
/// The figure that the goal is about.
std::uint64_t goal_figure(const GridCost& cost, AdviceGoal goal);
/// What a selected access asks for, by the whole grid's counts where they are known.
AdviceGoal goal_of(const Picture& picture, int access);
/// The access with most wavefronts or sectors above its ideal; -1 if none has any.
int worst_access(const Picture& picture);

enum class ChangeKind : std::uint8_t {
  /// `name` = `value`
  parameter,
  /// `value` is the shape, "32 x 8"
  block,
  /// Of the text: `name` is the array, `value` its new declarator
  padding,
  /// Of the text: threadIdx.x and threadIdx.y change places
  swap,
  /// Of the text: `name` is the array, `value` the swizzle's name; each last subscript is computed with it
  swizzle,
  /// Another one of the catalogue: `name`, and its title in `value`
  kernel,
};

struct Change {
  ChangeKind kind = ChangeKind::parameter;
  std::string name, value;
  /// With the change made
  Settings settings;
};

/// The swizzle that the tile of an access would have least wavefronts with: counted, not executed.
struct SwizzleAdvice {
  /// Index in KernelInfo::shared_arrays
  int array = -1;
  BetterSwizzle better;
  /// Elements from row to row; 0: unknown
  std::uint64_t pitch = 0;
  std::optional<RowSwizzle> rows;
  /// "chunk ^ (row & 7)"; and by the access's own subscripts "As[r][8 * c ^ (r & 7) * 8]", or empty
  std::string formula, subscripts;
  /// Accesses of the tile; `better` counts all that they did in the inspected block
  std::size_t accesses = 0;
};
std::optional<SwizzleAdvice> swizzle_advice(const Picture& picture, int access);

/// Values of one thing, least change first: the first that reaches the goal's minimum is kept.
using Ladder = std::vector<Change>;
std::vector<Ladder> ladders(const Picture& picture, int access, AdviceGoal goal,
                            const Catalog& catalog, const std::optional<SwizzleAdvice>& swizzle);

/// How the result of a suggestion was looked at.
enum class ResultState : std::uint8_t {
  /// Not yet
  pending,
  /// Equals the reference
  correct,
  /// Every buffer holds what it held before the change
  same,
  wrong,
  /// Too large to execute, or nothing to compare with
  not_checked,
};

/// A change that was run.
struct Suggestion {
  Change change;
  /// Counted, whole grid
  GridCost after;
  bool helps = false;
  ResultState result = ResultState::pending;
  /// The same access of the same warp after the change, where it is found again.
  std::optional<SharedWhy> shared;
  std::optional<BankEquation> equation;
  std::optional<GlobalWhy> global;
};

struct Advice {
  /// What it is about
  Settings settings;
  int access = -1;
  AdviceGoal goal = AdviceGoal::none;
  GridCost now;
  /// Where the goal is fewer conflicts
  std::optional<SwizzleAdvice> swizzle;
  /// Best first
  std::vector<Suggestion> suggestions;
  /// Did not help, the best value of each thing
  std::vector<Suggestion> tried;
  /// Ladders
  std::size_t done = 0, all = 0;
  bool finished = false;
};
using AdvicePtr = std::shared_ptr<const Advice>;

}  // namespace lanescope::app
