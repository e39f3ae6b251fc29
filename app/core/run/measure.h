// How large the buffers must be whose size nobody said: the kernel runs once with room around every such
// pointer, and what it touches is what is needed.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/kernel/arguments.h"
#include "core/run/patience.h"
#include "lanescope/run.h"

namespace lanescope::app {

/// What of a buffer the kernel touches, in the kernel's elements from the pointer on; before it, they are
/// negative.
struct MeasuredBuffer {
  std::string name;
  /// Of an element: "float4"
  std::string type;
  /// The run came to its end; otherwise the buffer has room for whatever was meant
  bool known = false;
  /// `last` is below `first` where nothing was touched
  long long first = 0, last = -1;
  /// Above 0: the run was not waited for, as it would have taken about so long
  double would_take_s = 0;
  bool operator==(const MeasuredBuffer&) const = default;
};

/// What looking for sizes may cost.
struct MeasureBounds {
  /// As RunControl::step_budget
  std::uint64_t step_budget = 0;
  /// 0: as long as it takes
  double most_seconds = kMostUnaskedS;
};

/// Runs the whole grid if a buffer is to be measured, and gives each of those the size that was found,
/// from the pointer or what lies before it on. After a run that failed they keep their room, so that the
/// next run fails at the same place.
std::vector<MeasuredBuffer> measure_buffers(const Program& program, const Launch& launch,
                                            BoundArguments& bound, const MeasureBounds& bounds,
                                            const std::stop_token& stop);

/// "in: 0 … 4095 touched of float: float[4096] is enough"
Message describe(const MeasuredBuffer& buffer);

}  // namespace lanescope::app
