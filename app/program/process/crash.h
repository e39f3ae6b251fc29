// A crash of the host code, told before it takes the process down.
#pragma once

#include <functional>

namespace lanescope::app {

struct Crash {
  /// SIGSEGV and its like
  int signal = 0;
  /// Where it happened
  const void* pc = nullptr;
  /// What was touched
  const void* address = nullptr;
};

/// `told` is called once, in the signal's handler on a stack of its own; the process then ends by the
/// signal. A crash inside `told` ends it too.
void tell_crashes(std::function<void(const Crash&)> told);

}  // namespace lanescope::app
