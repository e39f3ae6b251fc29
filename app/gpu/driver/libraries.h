// The driver, NVRTC, cuBLAS and NVML as tables of functions, loaded when they are asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/driver/cuda_abi.h"
#include "lanescope/message.h"

namespace lanescope::gpu {

/// Everything that may be missing. Tests fill it with functions of their own.
struct Libraries {
  std::optional<DriverApi> driver;
  std::optional<NvrtcApi> nvrtc;
  std::optional<CublasApi> cublas;
  std::optional<NvmlApi> nvml;
  /// Why a table is empty, in words: "no NVRTC: libnvrtc.so was not found"
  Message driver_problem, nvrtc_problem, cublas_problem;
  /// The toolkit's headers, as far as there are any
  std::vector<std::string> include_folders;
};

/// The driver comes from the system alone. The others are looked for by the loader, then in
/// CUDA_HOME, CUDA_PATH, /usr/local/cuda, and where Python's packages put them.
Libraries load_libraries();
/// NVRTC alone, which needs no GPU and no driver.
Libraries load_compiler();

}  // namespace lanescope::gpu
