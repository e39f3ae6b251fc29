// What machines counted, added up in the result of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "lanescope/run.h"
#include "machine/machine.h"

namespace lanescope {

/// A result with room for the program's accesses and operations, all 0.
RunResult empty_result(const FlatProgram& program, Dim3 grid);

/// Everything that a machine counted and printed since it was made; what machine code keeps apart becomes
/// the machine's.
void add_counts(RunResult& result, Machine& machine);

/// Operations, from how often each FlatBlock of `code` was entered.
void add_entries(RunResult& result, const FlatCode& code,
                 const std::vector<std::uint64_t>& block_entries);

/// Back to what nothing has been executed for; how the blocks were to be counted stays.
void clear_counts(RunResult& result);

}  // namespace lanescope
