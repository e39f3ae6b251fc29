// Runs one warp of a machine; two compiled forms of one text.
#pragma once

#include "machine/machine.h"

namespace lanescope {

/// Why a warp stopped: it waits at a barrier, all its lanes have ended, Machine::fault says what is
/// wrong, the block executed more operations than its budget, or Machine::stop was asked to.
enum class Stop { barrier, exited, fault, budget, cancelled };

/// Runs one warp until it waits at a barrier, ends or fails.
using ExecuteWarp = Stop (*)(Machine&, WarpState&);
ExecuteWarp executor_base(bool observed);
ExecuteWarp executor_v3(bool observed);
/// The fastest form that this machine's processor can run. An observed run tells the machine's
/// recorder and checker.
ExecuteWarp choose_executor(bool observed);

/// Notes Machine::fault of the warp, once for each kind at each place; false if the run may not go on
/// after it. In block.cpp: the interpreter's two copies share it.
bool tolerate(Machine& machine, const WarpState& warp);
/// An address beyond every buffer that a device would still find memory at: in the same 2 MiB as one,
/// which is what a driver maps at a time.
bool is_mapped(const Machine& machine, std::uint64_t address);

}  // namespace lanescope
