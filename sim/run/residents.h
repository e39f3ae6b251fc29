// Blocks that are there at once, each in turn until it waits: of a grid, or of a cluster.
#pragma once

#include <vector>

#include "check/checker.h"
#include "execute/block.h"

namespace lanescope {

struct Resident {
  Dim3 block;
  Machine* machine = nullptr;
  BlockRunner runner;
  BlockOutcome outcome{Stop::barrier, 0};
  bool is_begun = false;
};

/// Who meets at a barrier of all blocks: each of them, or those that have not ended.
enum class Meeting : std::uint8_t { of_all, of_those_left };

/// One part of each block after the other, until all have ended; null, or the one that failed. `checker` may be null.
const Resident* run_all(std::vector<Resident>& residents, Checker* checker, Dim3 grid,
                        Meeting meeting);

}  // namespace lanescope
