// What is known of a row before a launch runs: most index arithmetic is a number that all lanes share
// plus a pattern of lanes that never changes. The compiled form computes the number once for 32 lanes,
// and counts accesses at such addresses without looking at the lanes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "machine/machine.h"

namespace lanescope {

/// What each lane adds to the uniform part; the smallest is 0, all are below 2^31.
using LanePattern = std::array<std::int64_t, kLanes>;

/// Patterns by number: equal ones have the same. 0 is the pattern of a uniform row.
class LanePatterns {
 public:
  LanePatterns();
  const LanePattern& operator[](std::uint32_t index) const { return patterns_[index]; }
  [[nodiscard]] std::int64_t most(std::uint32_t index) const { return most_[index]; }
  std::uint32_t add(const LanePattern& pattern);

 private:
  std::vector<LanePattern> patterns_;
  std::vector<std::int64_t> most_;
  std::map<LanePattern, std::uint32_t> index_;
};

/// A row: uniform + pattern, modulo 2^32 or 2^64.
struct LaneShape {
  /// `none`: nothing has been written yet. `rows`: 32 values of their own.
  enum class Kind : std::uint8_t { none, affine, rows } kind = Kind::none;
  /// The uniform part is `value`
  bool known = false;
  /// Of the uniform part: the lowest so many bits are 0
  std::uint8_t aligned = 0;
  std::uint32_t pattern = 0;
  std::uint64_t value = 0;
  /// Unsigned bound of the uniform part
  std::uint64_t most = ~0ull;

  [[nodiscard]] bool is_affine() const { return kind == Kind::affine; }
  [[nodiscard]] bool is_uniform() const { return is_affine() && pattern == 0; }
  bool operator==(const LaneShape&) const = default;

  static LaneShape rows() { return {Kind::rows}; }
  /// A number that all lanes share and the compiler knows
  static LaneShape constant(std::uint64_t value);
};

/// The result of an operation on affine operands: how its uniform part comes from theirs is the
/// operation itself, and then `plus` is added.
struct ShapedResult {
  LaneShape shape;
  std::int64_t plus = 0;
};

/// What a predicate's lanes have in common.
enum class PredicateShape : std::uint8_t { none, uniform, lanes };

/// Every row and predicate of a program for one launch.
struct LaneShapes {
  LanePatterns patterns;
  std::vector<LaneShape> rows;
  std::vector<PredicateShape> predicates;
  /// By pc: a masked copy, load or warp operation that leaves alone what lanes that are off have, since
  /// they need it
  std::vector<bool> keeps_others;
  /// By pc, of the blocks: lanes that parted may meet there
  std::vector<bool> meets;
};

/// May the operation be computed once for all lanes where its operands are uniform?
bool is_computed_once(Code code);

/// Nothing is known (rows) of what has no rule.
ShapedResult shape_of(Code code, const LaneShape& x, const LaneShape& y, LanePatterns& patterns);
/// The address of a reference, if it is affine and no index wraps; `rows` otherwise.
ShapedResult shape_of_address(const MemRef& ref, const std::vector<LaneShape>& rows,
                              LanePatterns& patterns, bool may_wrap);
/// Widening a 32-bit row of this shape keeps the pattern.
bool keeps_pattern(const LaneShape& shape, const LanePatterns& patterns, bool is_signed);

/// For the machine's launch: its block, its arguments.
LaneShapes find_lane_shapes(const Machine& machine);

}  // namespace lanescope
