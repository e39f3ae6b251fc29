// printf from a kernel: a format string and packed arguments become text.
#pragma once

#include "machine/machine.h"

namespace lanescope {

/// One line of output for each lane of `mask`, up to kMostPrinted. `format` and `arguments` hold the
/// lanes' addresses (32 each): of the format string, and of its arguments, packed as CUDA's vprintf
/// takes them.
void print_lines(Machine& machine, const WarpState& warp, const std::uint64_t* format,
                 const std::uint64_t* arguments, LaneMask mask);

}  // namespace lanescope
