// Sets up a machine and runs one block on it: warps in turn, each until its next barrier.
#pragma once

#include <string>
#include <vector>

#include "execute/executor.h"
#include "execute/loop_watch.h"
#include "execute/meetings.h"
#include "execute/strands.h"
#include "lanescope/run.h"

namespace lanescope {

/// What blocks may hold while they wait.
inline constexpr std::uint64_t kMostResidentBytes = 4ull << 30;
/// More are never there at once: 132 multiprocessors of 32 blocks (CUDA C++ Programming Guide, technical
/// specifications of compute capability 9.0; NVIDIA H200).
inline constexpr std::uint64_t kMostResidentBlocks = 132 * 32;

/// What a block's run came to: complete when `stop` is `exited`; it waits for the other blocks of a
/// cooperative grid when that is `barrier`.
struct BlockOutcome {
  Stop stop = Stop::exited;
  /// The one that failed
  std::uint32_t warp = 0;
};

/// A machine ready for any block of the launch. The arguments have been checked. `code` is one of
/// the program's two forms; `image` is the run's copy of FlatProgram::image.
Machine make_machine(const FlatProgram& program, const FlatCode& code, const Launch& launch,
                     GlobalMemory& memory, std::byte* image);

/// Runs blocks of the machine's launch, one after the other; or, of a cooperative grid, one block in
/// turn with those of other runners of the machine.
class BlockRunner {
 public:
  /// `budget`: warp instructions that a block may execute.
  BlockRunner(Machine& machine, ExecuteWarp execute, std::uint64_t budget);
  /// The blocks from here on are executed by another form; it may have a way for all warps together.
  void use(ExecuteWarp execute, ExecuteBlock together = nullptr) {
    execute_ = execute, execute_together_ = together;
  }
  /// No other runner uses the machine: shared memory stays in it between two parts, for others to reach.
  void own_machine() { is_alone_ = true; }
  /// Shared and local memory start afresh with each block; global memory goes on.
  BlockOutcome run(Dim3 block);
  /// The same in parts: begins a block, and goes on with it until it ends or waits for the grid.
  void begin(Dim3 block);
  BlockOutcome advance();
  /// What stopped it is a loop that waits for memory to change, which another block may do.
  [[nodiscard]] bool waits_for_memory() const;
  /// What stopped it is an mbarrier, at which another block of its cluster may arrive.
  [[nodiscard]] bool waits_for_cluster() const { return waits_for_cluster_; }
  /// Nobody does it: lanes may be that of warps which wait, if they go on without the others. Whether any can, who wait
  /// for their turn or, if `all`, at a meeting.
  bool part(bool all);
  /// Those who wait for a phase are told that it is not over; false if they have been too often.
  bool tell();
  /// Makes Machine::fault that of what it waits for: nobody does.
  void tell_why();
  /// A warp of some block has waited so, if only for another of its own block.
  [[nodiscard]] bool has_waited() const { return has_waited_; }
  /// What it waits at: an index in KernelInfo::ops.
  [[nodiscard]] std::uint32_t waits_at() const;

  /// Of one runner, between two parts
  static std::uint64_t resident_bytes(const Machine& machine);
  /// Whether all blocks of the launch can be there at once, each with a runner
  static bool fit_together(const Machine& machine);

 private:
  /// A warp in a loop that goes on when another has changed memory: everything that it holds.
  struct Asleep {
    bool is_asleep = false;
    std::uint32_t times = 0;
    std::vector<std::uint32_t> rows;
    std::vector<LaneMask> predicates;
    LoopWatch::Memory memory;
    Fault fault;
  };

  [[nodiscard]] int unwritten() const;
  void enter();
  [[nodiscard]] bool is_only() const;
  Stop take_turn(WarpState& warp);
  Stop end_turn(WarpState& warp, Stop stop);
  bool turn_strands(WarpState& warp, Stop& stop);
  bool begin_strands(WarpState& warp, bool all);
  bool sleep_strands(WarpState& warp);
  void keep_rows(WarpState& warp);
  BlockOutcome give_up(std::uint32_t warp);
  bool fall_asleep(WarpState& warp);
  bool may_wake(WarpState& warp);
  BlockOutcome run_warps();
  bool run_together(BlockOutcome& outcome);
  bool run_all(BlockOutcome& outcome);
  bool run_from(std::size_t first, BlockOutcome& outcome);
  bool has_failed(WarpState& warp, Stop stop, BlockOutcome& outcome);
  bool run_to_meeting(BlockOutcome& outcome);
  bool run_those_that_can(BlockOutcome& outcome);
  bool meet_at_barrier(BlockOutcome& outcome);
  BlockOutcome endless();
  BlockOutcome endless(LoopVerdict verdict);
  /// The block's first warp that has not ended; null when all have.
  [[nodiscard]] const WarpState* first_waiting() const;
  [[nodiscard]] const WarpState* first_apart() const;

  Machine& machine_;
  ExecuteWarp execute_;
  ExecuteBlock execute_together_ = nullptr;
  std::uint64_t budget_;
  std::vector<WarpState> warps_;
  Meetings meetings_;
  LoopWatch watch_;
  /// By warp
  std::vector<Asleep> asleep_;
  std::vector<Strands> strands_;
  bool has_waited_ = false;
  bool is_alone_ = false, waits_for_cluster_ = false;
  Dim3 block_;
  /// Warp instructions so far
  std::uint64_t executed_ = 0;
  /// Shared memory, while the block waits for the grid
  std::vector<std::byte> shared_;
};

}  // namespace lanescope
