// The executor compiled for AVX2 machines (x86-64-v3): the same text, eight lanes an instruction.
#include "execute/interpreter.h"
#include "execute/seen_costs.h"

namespace lanescope {

ExecuteWarp executor_v3(bool observed) {
  return observed ? execute_warp<true> : execute_warp<false>;
}

ExecuteOperation operation_v3() { return execute_operation; }
CountAccess count_v3(MemorySpace space) { return count_in(space); }

}  // namespace lanescope
