// Values of a warp for a whole box of blocks at once: value[lane](k) = base[lane] + slope[lane] ·
// k, where k numbers the box's blocks in each dimension.
//
// This is what makes whole-grid counts cheap and still exact. Index arithmetic is nearly always
// affine in blockIdx, so one symbolic run of a block stands for every block of a box as long as
//   * each operation's result is affine and does not overflow its type anywhere in the box (checked
//     at the box's corners: an affine function takes its extremes there),
//   * each branch goes the same way in the whole box (else the box is split and both halves are run
//     again),
//   * a quotient or remainder of blockIdx is affine too (else the box is split where it changes, or
//     by the remainder of blockIdx, whichever gives fewer parts),
//   * each address differs between blocks by the same shift for all lanes.
// What is loaded from memory is unknown; if an unknown value reaches an address or a branch, the
// proof fails.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "lanescope/types.h"

namespace lanescope {

/// Dimensions in which values may be affine: blockIdx's, and the iterations of loops inside one another.
inline constexpr std::size_t kBlockDimensions = 3, kLoopDimensions = 2,
                             kDimensions = kBlockDimensions + kLoopDimensions;

/// Blocks that are looked at together: in each dimension blockIdx = first + stride · k for the k of
/// an inclusive range. A stride above 1 picks every second block, say, whose blockIdx is even. Beyond
/// blockIdx, a loop that is looked at as a whole has a dimension of its own: k counts its iterations.
struct Box {
  /// Of k
  std::array<std::int64_t, kDimensions> low{}, high{};
  std::array<std::int64_t, 3> first{0, 0, 0}, stride{1, 1, 1};
  [[nodiscard]] std::int64_t block(std::size_t d, std::int64_t k) const {
    return first[d] + stride[d] * k;
  }
  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t n = 1;
    for (std::size_t d = 0; d < kDimensions; ++d)
      n *= static_cast<std::uint64_t>(high[d] - low[d] + 1);
    return n;
  }
};

/// Both ends belong to it.
struct Interval {
  std::int64_t low = 0, high = 0;
};

/// The dimensions whose bits are set: for (std::size_t d : dimensions_in(row.moving)).
struct dimensions_in {
  explicit dimensions_in(std::uint32_t bits) : rest(bits) {}
  struct Iterator {
    std::uint32_t rest;
    std::size_t operator*() const { return static_cast<std::size_t>(std::countr_zero(rest)); }
    Iterator& operator++() {
      rest &= rest - 1;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return rest != other.rest; }
  };
  [[nodiscard]] Iterator begin() const { return {rest}; }
  [[nodiscard]] Iterator end() const { return {0}; }
  std::uint32_t rest;
};

/// One value per lane, exact as a mathematical integer for every block of the box where `known`.
/// 32-bit values are kept as signed; a lane whose value may leave the signed range of its width
/// becomes unknown.
struct AffineRow {
  std::array<std::int64_t, kLanes> base{};
  /// [dimension][lane], by k
  std::array<std::array<std::int64_t, kLanes>, kDimensions> slope{};
  LaneMask known = 0;
  /// Bit d: a slope of dimension d may be other than zero. Few dimensions are in a value, and the others cost
  /// nothing.
  std::uint32_t moving = 0;

  static AffineRow unknown() { return {}; }
  static AffineRow constant(std::int64_t value);
  [[nodiscard]] std::int64_t at(int lane) const { return base[static_cast<std::size_t>(lane)]; }
  /// All slopes are zero
  [[nodiscard]] bool flat() const { return moving == 0; }
  void set_moving(std::size_t d) { moving |= 1u << d; }
  [[nodiscard]] bool is_flat(int lane) const {
    return all_slopes(static_cast<std::size_t>(lane), [](std::int64_t s) { return s == 0; });
  }
  /// Whether `holds` is true of all of a lane's slopes, as it is of zero.
  template <class Holds>
  [[nodiscard]] bool all_slopes(std::size_t lane, Holds holds) const {
    for (const std::size_t d : dimensions_in(moving))
      if (!holds(slope[d][lane])) return false;
    return true;
  }
  /// Smallest and largest value of a lane in the box.
  [[nodiscard]] Interval range(const Box& box, int lane) const;
  /// Drops lanes that may not fit a signed integer of `bits`.
  void keep_fitting(const Box& box, unsigned bits);

 private:
  /// Whether no lane can reach `limit` anywhere in the box; false where a closer look is needed.
  [[nodiscard]] bool stays_below(std::int64_t limit, const Box& box) const;
};

/// a + sign × b; known where both are and the sum is within reach.
AffineRow affine_add(const AffineRow& a, const AffineRow& b, std::int64_t sign);
/// Known where at most one side depends on the block.
AffineRow affine_multiply(const AffineRow& a, const AffineRow& b);
/// Lane by lane from `yes` where the bit is set, else from `no`.
AffineRow affine_select(LaneMask condition, const AffineRow& yes, const AffineRow& no);

/// How a lane's difference a − b compares with 0 in the box: always, never, or not the same
/// everywhere; then `dimension` and `position` say where to split: [low, position − 1] and
/// [position, high].
struct Decision {
  enum class Kind : std::uint8_t { yes, no, split } kind = Kind::no;
  int dimension = 0;
  std::int64_t position = 0;
};
/// Difference < 0
Decision decide_less(const AffineRow& difference, const Box& box, int lane);
/// Difference == 0
Decision decide_equal(const AffineRow& difference, const Box& box, int lane);
/// The first k of dimension `d`, which begins at 0, for which a lane's difference may compare with 0
/// in another way than for k = 0; a far number if it never does.
std::int64_t uniform_until(const AffineRow& difference, const Box& box, std::size_t d, int lane);
/// The middle of the dimension in which the lane varies most.
Decision split_middle(const AffineRow& row, const Box& box, int lane);

}  // namespace lanescope
