// Runs one block of the lean program for a whole box of blocks at once, on affine values, and
// counts.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"
#include "prove/affine.h"
#include "prove/loop_nest.h"

namespace lanescope {

/// What came of a symbolic block: its counts hold for the whole box, or the box must be split and
/// its parts run again, or nothing can be proved.
struct SymbolicOutcome {
  enum class Kind : std::uint8_t { done, split, residues, failed } kind = Kind::done;
  int dimension = 0;
  /// Split: into [low, position − 1] and [position, high]; residues: by k modulo `position`
  std::int64_t position = 0;
  /// Failed: why the proof does not hold
  std::string reason;
};

/// Counts of all blocks of one box.
struct BoxCounts {
  /// By AccessInfo::id
  std::vector<AccessCounts> accesses;
  /// By FlatBlock of the lean code
  std::vector<std::uint64_t> block_entries;
  /// Operations that the symbolic run took for them
  std::uint64_t spent = 0;
};

/// `loops`: of the machine's code. `machine` serves for its launch, regions, constant rows and stop token; its memory is not
/// touched. `budget`: warp instructions that the block may execute. `counts` hold when the outcome
/// is `done`.
SymbolicOutcome run_symbolic(const Machine& machine, const LoopNest& loops, const Box& box,
                             std::uint64_t budget, BoxCounts& counts);

}  // namespace lanescope
