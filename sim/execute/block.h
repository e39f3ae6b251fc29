// Sets up a machine and runs one block on it: warps in turn, each until its next barrier.
#pragma once

#include <string>
#include <vector>

#include "execute/executor.h"
#include "lanescope/run.h"

namespace lanescope {

/// What a block's run came to: complete when `stop` is `exited`.
struct BlockOutcome {
  Stop stop = Stop::exited;
  /// The one that failed
  std::uint32_t warp = 0;
};

/// A machine ready for any block of the launch. The arguments have been checked. `code` is one of
/// the program's two forms; `image` is the run's copy of FlatProgram::image.
Machine make_machine(const FlatProgram& program, const FlatCode& code, const Launch& launch,
                     GlobalMemory& memory, std::byte* image);

/// Runs blocks of the machine's launch, one after the other.
class BlockRunner {
 public:
  /// `budget`: warp instructions that a block may execute.
  BlockRunner(Machine& machine, ExecuteWarp execute, std::uint64_t budget);
  /// Shared and local memory start afresh with each block; global memory goes on.
  BlockOutcome run(Dim3 block);

 private:
  void reset(Dim3 block);
  bool meet_at_barrier(BlockOutcome& outcome);

  Machine& machine_;
  ExecuteWarp execute_;
  std::uint64_t budget_;
  std::vector<WarpState> warps_;
};

}  // namespace lanescope
