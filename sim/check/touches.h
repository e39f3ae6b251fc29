// Who touched a word: warp-wide accesses numbered, so that a word keeps 4 bytes for each of them.
#pragma once

#include <vector>

#include "machine/machine.h"

namespace lanescope {

/// What the lanes of a warp did with one operation, between two points at which an order may begin.
struct TouchedBy {
  /// + 1
  std::uint32_t block = 0;
  /// Those of bulk copies have numbers behind all warps, and are asked for by one
  std::uint32_t warp = 0, issuer = 0;
  /// Barriers of the block, and of the warp, that came before
  std::uint32_t epoch = 0, sync = 0;
  /// Fences and accesses to synchronise by, of any thread, that came before
  std::uint32_t phase = 0;
  /// Index in KernelInfo::ops
  std::uint32_t info = 0;
  Strength strength = Strength::plain;
  bool reads = false, writes = false;
  /// Atomic among the threads of its block alone
  bool in_block = false;
  bool operator==(const TouchedBy&) const = default;
};

/// A lane of one of them; 0 is nobody.
using Touch = std::uint32_t;

class Touches {
 public:
  explicit Touches(std::size_t infos) : last_(infos) { all_.emplace_back(); }
  /// The same number while nothing but the lane changes. 0 when there are too many to number.
  Touch number(const TouchedBy& by) {
    std::uint32_t& last = last_[by.info];
    if (last != 0 && all_[last] == by) return last * kLanes;
    if (all_.size() >= (1u << 27)) return 0;
    last = static_cast<std::uint32_t>(all_.size());
    all_.push_back(by);
    return last * kLanes;
  }
  /// The least that has not been given
  [[nodiscard]] Touch next() const { return static_cast<Touch>(all_.size() * kLanes); }
  const TouchedBy& operator[](Touch touch) const { return all_[touch / kLanes]; }
  /// In the block
  std::uint32_t thread(Touch touch) const { return (*this)[touch].warp * kLanes + touch % kLanes; }

 private:
  std::vector<TouchedBy> all_;
  /// By info: the one numbered last
  std::vector<std::uint32_t> last_;
};

}  // namespace lanescope
