// A driver, NVRTC and cuBLAS without a GPU, for tests: device memory is the host's, and a "kernel"
// does what its name says.
#pragma once

#include <cstddef>
#include <string>

#include "gpu/driver/libraries.h"

namespace lanescope::gpu::testing {

/// How the fake behaves; reset it at the start of a test.
///
/// Kernels by name: `fault` ends in an illegal access, `hang` never ends, `crash` ends the process,
/// `greedy` cannot be launched, `lazy` leaves the last element of its output unwritten; any other
/// transposes its first buffer into its second, of `nx` by `ny` floats; but `product` multiplies
/// its first two buffers, M by K and K by N floats, into its third.
struct FakeState {
  int devices = 1;
  CuResult init = kSuccess;
  /// Bytes that can be allocated
  std::size_t memory = std::size_t{1} << 30;
  std::size_t used = 0;
  /// Not empty: compiling fails with it
  std::string compile_log;
  int launches = 0;
  /// Calls of cuBLAS gemm
  int products = 0;
  /// Of these, whose result was not what the buffer held already
  int other_products = 0;
  /// What gemm answers
  int cublas_code = 0;
};
FakeState& fake();

/// Everything is there, and behaves as `fake()` says.
Libraries fake_libraries();

}  // namespace lanescope::gpu::testing
