// What orders accesses beyond barriers: a thread writes, executes a fence and sets a flag by an atomic
// or volatile store; another reads the flag and then knows of all that came before the fence (PTX
// ISA, "Memory Consistency Model": release and acquire patterns).
//
// Blocks run one after the other, so what a flag held when it was read is what was last written.
#pragma once

#include <unordered_map>
#include <vector>

#include "check/touches.h"

namespace lanescope {

/// A thread's fence: it covers what the thread has done before it, and what others have done before
/// the barrier that came before it.
struct Fence {
  /// Block + 1
  std::uint32_t block = 0;
  std::uint32_t thread = 0, epoch = 0, sync = 0, phase = 0;
  /// Seen by the other blocks too
  bool device = false;
};

/// The fences that somebody knows of.
class Known {
 public:
  void add(const Fence& fence);
  void add(const Known& other);
  void clear() { fences_.clear(), all_ = false; }
  [[nodiscard]] bool empty() const { return fences_.empty() && !all_; }
  /// Is one of them of the block?
  [[nodiscard]] bool any_of(std::uint32_t block) const;
  /// Does one of them cover this access by `lane`, for a thread of `block`?
  [[nodiscard]] bool covers(const TouchedBy& by, std::uint32_t lane, std::uint32_t block) const;

 private:
  std::vector<Fence> fences_;
  /// So many that they are no longer told apart: nothing is called a race on their account
  bool all_ = false;
};

class HappensBefore {
 public:
  /// A thread as it is now.
  struct Now {
    std::uint32_t block = 0, thread = 0, epoch = 0, sync = 0;
  };
  enum class Order {
    none,
    /// A flag was read, but no fence came after it
    without_fence,
    before
  };

  void begin_block();
  /// So many blocks run together, each of so many threads. Then that of the rank begins, or goes on.
  void in_cluster(std::size_t blocks, std::uint32_t threads);
  void enter(std::size_t rank) { rank_ = rank; }
  /// All threads of the cluster meet.
  void cluster_barrier();
  /// All threads of the block meet: what one knows, all know.
  void barrier(std::uint32_t block, std::uint32_t epoch);
  /// These lanes of a warp meet.
  void warp_sync(std::uint32_t warp, std::uint32_t lanes);
  void fence(const Now& now, bool device);
  /// An atomic or volatile access, which may be of a flag. `ordered`: with a fence of its own; `device`: which
  /// the other blocks see too.
  struct Flag {
    bool reads = false, writes = false, ordered = false, device = true;
  };
  void synchronise(const Now& now, std::uint64_t address, const Flag& flag);
  /// Whether any thread of the block that runs knows of it.
  [[nodiscard]] bool block_knows(const TouchedBy& before, std::uint32_t lane,
                                 std::uint32_t block) const;
  /// Whether the thread knows of any fence of the block `of`.
  [[nodiscard]] bool knows_of(const Now& now, std::uint32_t of) const;
  [[nodiscard]] Order order(const TouchedBy& before, std::uint32_t lane, const Now& now) const;
  /// Ends the phase; which it was.
  std::uint32_t tick() { return phase_++; }
  /// Grows with each fence and each access that may synchronise
  [[nodiscard]] std::uint32_t phase() const { return phase_; }

 private:
  struct Thread {
    /// What it knows; what it would know after a fence; what it publishes by setting a flag
    Known known, read, published;
  };

  struct OfBlock {
    /// What every thread has from the last barrier
    Thread all;
    bool fence_since_barrier = false, device_since_barrier = false;
  };
  OfBlock& own() { return blocks_[rank_]; }
  [[nodiscard]] const OfBlock& own() const { return blocks_[rank_]; }
  [[nodiscard]] bool is_own(std::uint32_t thread) const {
    return blocks_.size() == 1 || thread / threads_of_block_ == rank_;
  }

  std::unordered_map<std::uint32_t, Thread> threads_;
  /// One, or those of a cluster
  std::vector<OfBlock> blocks_ = std::vector<OfBlock>(1);
  std::size_t rank_ = 0;
  std::uint32_t threads_of_block_ = 0;
  /// By address: what its value publishes
  std::unordered_map<std::uint64_t, Known> flags_, shared_flags_;
  bool any_fence_ = false;
  std::uint32_t phase_ = 1;
};

}  // namespace lanescope
