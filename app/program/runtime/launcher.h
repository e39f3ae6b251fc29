// What the CUDA runtime needs of whoever compiles and runs kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program/call_record.h"
#include "lanescope/types.h"
#include "program/device/device_time.h"

namespace lanescope::app {

/// One launch, as `<<<>>>`, cudaLaunchKernel or a graph asks for it. Shapes have been checked against
/// the device's limits, not against the kernel's.
struct KernelCall {
  /// The host's stand-in for the kernel: the address that cudaLaunchKernel is called with
  const void* stub = nullptr;
  Dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  /// One pointer for each parameter, to its value
  void** arguments = nullptr;
  bool cooperative = false;
  /// Blocks that are to run together, where the launch says so
  std::optional<Dim3> cluster;
  /// A number for each stream, 0 the default one
  std::uint64_t stream = 0;
  /// Where the host code asked for it: a return address in the program
  const void* caller = nullptr;
};

/// What is known of a kernel without running it; cudaFuncGetAttributes and the occupancy calls.
struct KernelFacts {
  /// Empty: `stub` is no kernel
  std::string name;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;
  std::uint32_t constant_bytes = 0;
  /// From __launch_bounds__; 0 if the text has none
  std::uint32_t most_threads = 0;
  /// As far as the simulator can tell
  std::uint32_t registers = 0;
  /// Of each parameter, in order: graphs keep copies of arguments
  std::vector<std::uint32_t> parameter_bytes;
};

/// How a launch ended.
enum class LaunchEnd : std::uint8_t {
  fine,
  /// An access that a GPU stops at, or a trap: cudaErrorIllegalAddress, cudaErrorMisalignedAddress …
  illegal_address,
  misaligned_address,
  illegal_instruction,
  assertion,
  /// Endless, or something that the simulator cannot execute
  launch_failure,
  /// More static and dynamic shared memory, or more threads, than the kernel may have
  invalid_configuration,
  out_of_resources,
  invalid_kernel,
};

/// A `__device__`, `__constant__` or `__managed__` variable.
struct DeviceVariable {
  /// In the device's address space; 0 if it is none
  std::uint64_t address = 0;
  std::size_t bytes = 0;
};

class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Runs the kernel to its end before it returns.
  virtual LaunchEnd launch(const KernelCall& call) = 0;
  /// What the last one was, its own launches included.
  [[nodiscard]] virtual LaunchWork last_work() const { return {}; }
  /// The host waits for the device here: what kernels have printed comes out.
  virtual void synchronized() {}
  virtual KernelFacts facts(const void* stub) = 0;
  /// `host`: the address of the variable's stand-in in the host code.
  virtual DeviceVariable variable(const void* host) = 0;
  /// Something to tell the user about a call: the position is found from `caller`. `is_error`: the
  /// program did something wrong; otherwise a remark, told once for each text.
  virtual void tell(const std::string& text, bool is_error, const void* caller) = 0;
  /// Since the run began: the clock of launches and calls.
  [[nodiscard]] virtual double now_ms() const { return 0; }
  /// A call that has been answered; where it stands is found from `caller`.
  virtual void called(CallRecord, const void* /*caller*/) {}
};

}  // namespace lanescope::app
