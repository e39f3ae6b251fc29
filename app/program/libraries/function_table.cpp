// The table by which a program's calls find what we have.
#include "frontend/prelude/host/lanescope_cublas.h"
#include "frontend/prelude/host/lanescope_curand.h"
#include "frontend/prelude/host/lanescope_driver.h"
#include "frontend/prelude/host/lanescope_runtime.h"
#include "program/runtime/runtime.h"

namespace lanescope::app {

std::span<const RuntimeFunction> runtime_functions() {
  static const RuntimeFunction functions[] = {
#define LANESCOPE_API(result, name, parameters) {#name, reinterpret_cast<void*>(&name)},
#include "frontend/prelude/host/lanescope_cublas_functions.h"
#include "frontend/prelude/host/lanescope_curand_functions.h"
#include "frontend/prelude/host/lanescope_driver_functions.h"
#include "frontend/prelude/host/lanescope_runtime_functions.h"
#undef LANESCOPE_API
  };
  return functions;
}

}  // namespace lanescope::app
