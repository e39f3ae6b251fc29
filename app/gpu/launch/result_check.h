// Whether a kernel's result on the GPU is the CPU's: every element, whatever the size, without a
// second copy of the matrices on the host. What an input holds follows from its fill and the index
// alone.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "gpu/launch/request.h"

namespace lanescope::gpu {

/// Copies `bytes` of the output from `offset` on to `to`; false when that fails.
using FetchOutput = std::function<bool(std::byte* to, std::uint64_t offset, std::uint64_t bytes)>;

struct CheckResult {
  /// Unchecked when the request names no reference, or fetching failed
  app::ResultCheck check;
  /// Why the reference does not fit the buffers; empty if it does
  Message unfit;
};

/// `staging` holds `staging_bytes`, at least one element. Works on all cores.
CheckResult check_output(const Request& request, std::byte* staging, std::uint64_t staging_bytes,
                         const FetchOutput& fetch);

}  // namespace lanescope::gpu
