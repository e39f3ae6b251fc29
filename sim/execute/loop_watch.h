// Loops that will never end, found long before a block's budget is spent.
#pragma once

#include <cstdint>
#include <vector>

#include "execute/loop_slice.h"
#include "machine/machine.h"

namespace lanescope {

/// Looks at what runs, now and then: is it where nothing leads out of, or back at the values that its way is
/// decided by? A machine is deterministic, so that it then never gets any further.
class LoopWatch {
 public:
  /// A block begins, or goes on: `executed` is what Machine::executed was, less what the block had executed
  /// before.
  void begin(std::uint64_t executed);
  /// A warp begins, or goes on: what was noted of another says nothing. One that has waited for memory to
  /// change may do so again, and is looked at `soon`, others of the launch not much later.
  void turn(Machine& machine, bool soon);
  /// At a jump or branch of a warp to `pc`; sets Machine::next_check where it wants to be asked again at once.
  LoopVerdict look(Machine& machine, const WarpState& warp, std::uint32_t pc);
  /// All warps have met at a barrier.
  LoopVerdict meet(const Machine& machine, const std::vector<WarpState>& warps);

  /// After LoopVerdict::comes_back at a jump: where to, and what memory held, if that decides it.
  [[nodiscard]] std::uint32_t pc() const { return warp_.pc; }
  /// All memory that threads share; where that is too much to keep, how often it was written to.
  struct Memory {
    bool is_kept = false;
    std::vector<std::vector<std::byte>> regions;
    std::uint64_t writes = 0;

    void note(const Machine& machine);
    [[nodiscard]] bool is_same(const Machine& machine) const;
  };
  [[nodiscard]] const Memory* awaited() const {
    return warp_.slice.reads_memory ? &warp_.memory : nullptr;
  }

 private:
  /// What was noted at a time, and when to note again.
  struct Noted {
    bool noted = false;
    std::uint32_t looks = 0;
    /// Instructions of the block; from then to the time after, which doubles, 0 for as many again
    std::uint64_t next = 0, gap = 0;
    Memory memory;

    /// Whether it is time to note anew; from then on, to compare.
    bool is_due(std::uint64_t executed);
    /// Whether to compare.
    bool takes_look();
  };
  struct OfWarp : Noted {
    std::uint32_t pc = 0;
    std::vector<StackEntry> stack;
    LoopSlice slice;
    /// Those of the slice, one after the other
    std::vector<std::uint32_t> values, local;
  };
  struct OfBlock : Noted {
    std::vector<WarpState> warps;
  };

  void note(const Machine& machine, const WarpState& warp, std::uint32_t pc);
  void look_soon(Machine& machine) const;
  [[nodiscard]] bool same_values(const Machine& machine) const;
  [[nodiscard]] bool is_back(const Machine& machine, const WarpState& warp, std::uint32_t pc) const;

  std::uint64_t begun_ = 0;
  OfWarp warp_;
  OfBlock block_;
};

}  // namespace lanescope
