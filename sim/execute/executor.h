// Runs one warp of a machine; two compiled forms of one text.
#pragma once

#include "machine/machine.h"

namespace lanescope {

/// Why a warp stopped: it waits at a barrier, all its lanes have ended, Machine::fault says what is
/// wrong, the block executed more operations than its budget, or Machine::stop was asked to. apart: some of its
/// lanes have come to where others of it are to come, too (strands.h).
enum class Stop { barrier, exited, fault, budget, cancelled, apart };

/// Runs one warp until it waits at a barrier, ends or fails.
using ExecuteWarp = Stop (*)(Machine&, WarpState&);
/// Runs all warps of a block, none of which has ended or waits, in turn from barrier to barrier for as long as they
/// all come to the same __syncthreads(). Stop::exited and no warp's number in `which`: each has ended, or waits as its
/// state tells. Otherwise why warp `which` has stopped; those before it have had their turn, those behind it not.
using ExecuteBlock = Stop (*)(Machine&, std::vector<WarpState>&, std::uint32_t& which);
ExecuteWarp executor_base(bool observed);
ExecuteWarp executor_v3(bool observed);
/// The fastest form that this machine's processor can run. An observed run tells the machine's
/// recorder and checker.
ExecuteWarp choose_executor(bool observed);

/// Executes the one operation at `pc`, which is not one that moves it, on the machine's rows;
/// Stop::exited when nothing is wrong.
using ExecuteOperation = Stop (*)(Machine&, WarpState&, std::uint32_t pc, LaneMask mask);
ExecuteOperation operation_base();
ExecuteOperation operation_v3();
ExecuteOperation choose_operation();

/// Counts an access in shared memory (offsets) or global memory (addresses) that the lanes of `mask`,
/// at least one, have made.
using CountAccess = void (*)(Machine&, std::uint32_t pc, const std::uint64_t* lanes, LaneMask mask);
CountAccess count_base(MemorySpace space);
CountAccess count_v3(MemorySpace space);
CountAccess choose_count(MemorySpace space);

// In waiting.cpp: what the interpreter's two copies and compiled code share.

/// Machine::fault is of this operation; returns Stop::fault.
Stop fail(Machine& machine, const Op& op, DiagnosticKind kind, LaneMask lanes,
          std::uint32_t detail = 0);
/// The lanes of `mask` wait at the barrier; `counted` are those that a barrier_count counts.
Stop begin_wait(Machine& machine, WarpState& warp, std::uint32_t pc, LaneMask mask,
                LaneMask counted);
/// Budget, cancellation and loops without end, now that Machine::next_check has come; Stop::exited to go
/// on. `op` is the jump or branch that went to `pc`. Loops are not looked at where Machine::watch is null.
Stop look_at_budget(Machine& machine, const WarpState& warp, const Op& op, LaneMask mask,
                    std::uint32_t pc);

/// In bulk.cpp: the copies that lanes of `mask` ask for, made at once. In group_product.cpp: the rows of a
/// warpgroup's product that are a warp's. Stop::exited when nothing is wrong.
Stop copy_in_bulk(Machine& machine, const WarpState& warp, const Op& op, LaneMask mask);
Stop group_multiply(Machine& machine, const WarpState& warp, const Op& op);

/// Notes Machine::fault of the warp, once for each kind at each place; false if the run may not go on
/// after it. In block.cpp: the interpreter's two copies share it.
bool tolerate(Machine& machine, const WarpState& warp);
/// An address beyond every buffer that a device would still find memory at: in the same 2 MiB as one,
/// which is what a driver maps at a time.
bool is_mapped(const Machine& machine, std::uint64_t address);

}  // namespace lanescope
