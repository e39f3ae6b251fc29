// Asynchronous copies (cp.async): what they write is there when the thread that issued them has
// waited for their group, and for other threads after a barrier behind that (PTX ISA, "cp.async",
// "cp.async.wait_group").
#pragma once

#include <unordered_map>
#include <vector>

#include "lower/flat.h"

namespace lanescope {

/// A copy that a word waits for.
struct AsyncCopy {
  std::uint32_t thread = 0;
  /// The thread's groups are numbered from 1; 0 is no copy
  std::uint32_t group = 0;
  /// Index in KernelInfo::ops
  std::uint32_t info = 0;
};

class AsyncCopies {
 public:
  enum class State {
    done,
    /// The thread that issued it has not waited for it
    not_waited_for,
    /// It has, and no barrier came after that
    no_barrier
  };

  void begin_block();
  /// The copies so far of a thread become a group, or are waited for. `epoch`, `sync`: barriers of
  /// the block and of the warp so far.
  void mark(const Mark& mark, std::uint32_t thread, std::uint32_t epoch, std::uint32_t sync);
  /// A copy from `source` (a word's address) to a word of shared memory.
  void issue_to(std::uint64_t word, std::uint32_t thread, std::uint32_t info);
  void issue_from(std::uint64_t word, std::uint32_t thread, std::uint32_t info);
  [[nodiscard]] bool any() const { return !to_.empty(); }
  /// The last copy to, or from, the word; null if there was none.
  [[nodiscard]] const AsyncCopy* copy_to(std::uint64_t word) const { return find(to_, word); }
  [[nodiscard]] const AsyncCopy* copy_from(std::uint64_t word) const { return find(from_, word); }
  [[nodiscard]] State state(const AsyncCopy& copy, std::uint32_t thread, std::uint32_t epoch,
                            std::uint32_t sync) const;
  void forget(std::uint64_t word) { to_.erase(word); }

 private:
  using Words = std::unordered_map<std::uint64_t, AsyncCopy>;
  struct Wait {
    /// Groups up to it are done since
    std::uint32_t group = 0, epoch = 0, sync = 0;
  };
  struct Thread {
    /// The group that its copies join
    std::uint32_t open = 1;
    std::vector<Wait> waits;
    [[nodiscard]] std::uint32_t done() const { return waits.empty() ? 0 : waits.back().group; }
  };
  static const AsyncCopy* find(const Words& words, std::uint64_t word) {
    const auto at = words.find(word);
    return at == words.end() ? nullptr : &at->second;
  }

  std::unordered_map<std::uint32_t, Thread> threads_;
  /// By word of shared and of global memory
  Words to_, from_;
};

}  // namespace lanescope
