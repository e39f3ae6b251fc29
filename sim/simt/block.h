// Sets up a machine and runs one block on it: warps in turn, each until its next barrier.
#pragma once

#include <string>
#include <vector>

#include "lanescope/run.h"
#include "simt/machine.h"

namespace lanescope {

/// What a block's run came to. `completed` when `stop` is `exited`.
struct BlockOutcome {
  Stop stop = Stop::exited;
  std::uint32_t warp = 0;  ///< the one that failed
};

/// A machine ready for any block of the launch. The arguments have been checked.
Machine make_machine(const FlatProgram& program, const FlatCode& code, const Launch& launch,
                     GlobalMemory& memory, std::byte* image);

class BlockRunner {
 public:
  BlockRunner(Machine& machine, ExecuteWarp execute, std::uint64_t budget);
  BlockOutcome run(Dim3 block);

 private:
  void reset(Dim3 block);
  bool meet_at_barrier(BlockOutcome& outcome);

  Machine& machine_;
  ExecuteWarp execute_;
  std::uint64_t budget_;
  std::vector<WarpState> warps_;
};

/// The fault of a machine in words, with block, thread, position and what to do.
Diagnostic describe_fault(const Machine& machine, const GlobalMemory& memory, Dim3 block,
                          std::uint32_t warp);

}  // namespace lanescope
