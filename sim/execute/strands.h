// Lanes of one warp that wait for one another in divergent code: from Volta on each makes progress by itself (CUDA
// C++ Programming Guide, "Independent Thread Scheduling"). A warp whose lanes wait, for memory or for a phase, and
// whom nobody else helps, parts into strands, each with a stack of its own; they take turns, and meet again where
// they would have met.
//
// They share the machine's rows: what a lane holds is changed by none but itself, or computed again from what it was
// (compiled/waiting_lanes.h).
#pragma once

#include <vector>

#include "execute/executor.h"
#include "execute/loop_watch.h"
#include "execute/meetings.h"

namespace lanescope {

class Strands {
 public:
  struct Strand {
    enum class State : std::uint8_t {
      ready,
      /// In a loop that ends when memory has changed
      asleep,
      /// At an mbarrier
      at_phase,
      /// Where others of the warp may come, too
      at_meet,
      /// At an operation that wants lanes of other strands
      apart
    } state = State::ready;
    std::vector<StackEntry> stack;
    /// At fewer entries it is where others may come
    std::size_t floor = 0;
    /// It is yet to enter the block that it goes on in
    bool enters = false;
    LoopWatch::Memory memory;
    Fault fault;
    Awaited awaited;
    std::uint32_t barrier_pc = kNone, barrier_row = kNone, barrier_count = 0;
    /// Of one that is apart: its lanes, and who had ended, when it came there
    LaneMask tried = 0, tried_exited = 0;
    [[nodiscard]] LaneMask lanes() const;
  };

  [[nodiscard]] bool any() const { return !all_.empty(); }
  void clear() { all_.clear(), told_ = 0; }
  /// Of a warp that waits with others of its lanes waiting for their turn, or at a meeting, these become strands.
  void begin(Strand waiting) { all_.push_back(std::move(waiting)); }
  /// The strand that ran, which is the warp's stack, has stopped; false if that is no stop of a strand.
  bool stopped(const Machine& machine, WarpState& warp, Stop stop, const LoopWatch& watch);
  [[nodiscard]] bool can_run(const Machine& machine) const;
  /// Makes one that can run the warp's; false if none can.
  bool next(Machine& machine, WarpState& warp, Meetings& meetings);
  /// None can run. Lanes that wait for their turn are to go first; then, if `all`, those at a meeting without the
  /// others, and those that have come together at one operation. Whether some can.
  bool part(const WarpState& warp, bool all);
  /// Those at phases are told that these are not over, and may do something else; false if they have been too often.
  bool tell();
  /// Nothing helps any more: Machine::fault, or, of one that lacks lanes, that it becomes the warp's, to fail; and
  /// what the warp has stopped by.
  Stop give_up(Machine& machine, WarpState& warp);

 private:
  bool split(std::size_t index);
  void merge(Strand::State state);

  std::vector<Strand> all_;
  /// Since a phase was over last
  std::uint32_t told_ = 0;
};

}  // namespace lanescope
