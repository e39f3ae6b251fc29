// A crash of the host code, told before it takes the process down.
#pragma once

#include <functional>
#include <vector>

namespace lanescope::app {

struct Crash {
  /// SIGSEGV and its like
  int signal = 0;
  /// Where it happened
  const void* pc = nullptr;
  /// What was touched
  const void* address = nullptr;
  /// Where the stack was
  const void* stack = nullptr;
  /// Places of calls, innermost first, from the crash outwards
  std::vector<const void*> calls;
};

/// `noted` is called first, before anything that needs memory: where the program has broken its heap, what
/// comes after may hang, and is then ended.

/// `told` is called next, on the handler's own stack; the process then ends by the signal. A crash inside
/// ends it too.
void tell_crashes(std::function<void(const Crash&)> noted, std::function<void(const Crash&)> told);

}  // namespace lanescope::app
