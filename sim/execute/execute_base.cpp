// The executor for any x86-64 (or other) processor.
#include "execute/interpreter.h"
#include "execute/seen_costs.h"

namespace lanescope {

ExecuteWarp executor_base(bool observed) {
  return observed ? execute_warp<true> : execute_warp<false>;
}

ExecuteOperation operation_base() { return execute_operation; }
CountAccess count_base(MemorySpace space) { return count_in(space); }

namespace {

bool has_wide_vectors() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

}  // namespace

ExecuteWarp choose_executor(bool observed) {
  return has_wide_vectors() ? executor_v3(observed) : executor_base(observed);
}

ExecuteOperation choose_operation() {
  return has_wide_vectors() ? operation_v3() : operation_base();
}

CountAccess choose_count(MemorySpace space) {
  return has_wide_vectors() ? count_v3(space) : count_base(space);
}

}  // namespace lanescope
