// The executor for any x86-64 (or other) processor.
#define LANESCOPE_EXECUTOR executor_base
#include "execute/execute.inc"

namespace lanescope {

ExecuteWarp choose_executor(bool observed) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    return executor_v3(observed);
#endif
  return executor_base(observed);
}

}  // namespace lanescope
