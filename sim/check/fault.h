// Faults and findings in words.
#pragma once

#include "check/checker.h"
#include "lanescope/diagnostic.h"
#include "machine/machine.h"

namespace lanescope {

/// The fault of a machine in words, with block, thread, position and what to do.
Diagnostic describe_fault(const Machine& machine, const GlobalMemory& memory, Dim3 block,
                          std::uint32_t warp);

/// A checker's finding in words, the same way.
Diagnostic describe_finding(const Finding& finding, const FlatProgram& program,
                            const Launch& launch, const GlobalMemory& memory);

}  // namespace lanescope
