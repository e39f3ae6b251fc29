// The executor for any x86-64 (or other) processor.
#include "execute/interpreter.h"

namespace lanescope {

ExecuteWarp executor_base(bool observed) {
  return observed ? execute_warp<true> : execute_warp<false>;
}

ExecuteWarp choose_executor(bool observed) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    return executor_v3(observed);
#endif
  return executor_base(observed);
}

}  // namespace lanescope
