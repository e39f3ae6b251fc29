#include "frontend/headers/forwarding.h"

namespace lanescope {

const std::vector<std::pair<std::string, std::string>>& cuda_headers() {
  static const auto* headers = [] {
    auto* list = new std::vector<std::pair<std::string, std::string>>;
    for (const char* name :
         {"cuda_runtime.h",           "cuda_runtime_api.h",       "device_launch_parameters.h",
          "vector_types.h",           "vector_functions.h",       "device_functions.h",
          "sm_60_atomic_functions.h", "sm_61_intrinsics.h",       "sm_35_intrinsics.h",
          "sm_30_intrinsics.h",       "sm_35_atomic_functions.h", "sm_20_intrinsics.h",
          "driver_types.h",           "builtin_types.h",          "texture_types.h",
          "surface_types.h",          "channel_descriptor.h",     "host_defines.h",
          "library_types.h",          "cuda_profiler_api.h",      "cuda_device_runtime_api.h"})
      list->emplace_back(name, "#include <lanescope_host.h>\n");
    list->emplace_back("cuComplex.h", "#include <lanescope_complex.h>\n");
    list->emplace_back("cuda.h", "#include <lanescope_driver.h>\n");
    list->emplace_back("cudaTypedefs.h", "#include <lanescope_driver_typedefs.h>\n");
    list->emplace_back("omp.h", "#include <lanescope_omp.h>\n");
    list->emplace_back("curand.h", "#include <lanescope_curand.h>\n");
    for (const char* name :
         {"nvToolsExt.h", "nvToolsExtCuda.h", "nvToolsExtCudaRt.h", "nvtx3/nvToolsExt.h",
          "nvtx3/nvToolsExtCuda.h", "nvtx3/nvToolsExtCudaRt.h"})
      list->emplace_back(name, "#include <lanescope_nvtx.h>\n");
    for (const char* name : {"thrust/host_vector.h", "thrust/device_vector.h",
                             "thrust/device_ptr.h", "thrust/copy.h", "thrust/fill.h"})
      list->emplace_back(name, "#include <lanescope_thrust.h>\n");
    for (const char* name : {"cublas_v2.h", "cublas_api.h"})
      list->emplace_back(name, "#include <lanescope_bfloat.h>\n#include <lanescope_cublas.h>\n");
    for (const char* name : {"type_traits", "utility", "cstddef", "cstdint", "limits", "climits",
                             "cfloat", "cassert", "tuple", "array", "initializer_list"})
      list->emplace_back(std::string("cuda/std/") + name, "#include <lanescope_cuda_std.h>\n");
    list->emplace_back("cublasLt.h",
                       "#include <lanescope_bfloat.h>\n#include <lanescope_cublaslt.h>\n");
    // Headers of ours cannot have the folders that CUDA's have, and include each other by names of
    // ours.
    for (const auto& [name, ours] :
         {std::pair{"cuda_fp16.h", "lanescope_half.h"},
          std::pair{"cuda_bf16.h", "lanescope_bfloat.h"}, std::pair{"mma.h", "lanescope_wmma.h"},
          std::pair{"cuda_pipeline_primitives.h", "lanescope_pipeline.h"},
          std::pair{"cooperative_groups/memcpy_async.h", "cooperative_groups_memcpy_async.h"},
          std::pair{"cooperative_groups/reduce.h", "cooperative_groups_reduce.h"},
          std::pair{"cooperative_groups/scan.h", "cooperative_groups_scan.h"},
          std::pair{"cuda/atomic", "lanescope_cuda_atomic.h"},
          std::pair{"cuda/std/atomic", "lanescope_cuda_atomic.h"},
          std::pair{"cuda/barrier", "lanescope_cuda_barrier.h"},
          std::pair{"cuda/std/barrier", "lanescope_cuda_barrier.h"},
          std::pair{"cuda/pipeline", "lanescope_cuda_barrier.h"},
          std::pair{"cuda/latch", "lanescope_cuda_latch.h"},
          std::pair{"cuda/std/latch", "lanescope_cuda_latch.h"},
          std::pair{"cuda/semaphore", "lanescope_cuda_latch.h"},
          std::pair{"cuda/std/semaphore", "lanescope_cuda_latch.h"}})
      list->emplace_back(name, std::string("#include <") + ours + ">\n");
    return list;
  }();
  return *headers;
}

const std::vector<std::pair<std::string, std::string>>& forwarding_headers() {
  static const auto* headers = [] {
    auto* list = new std::vector<std::pair<std::string, std::string>>(cuda_headers());
    list->emplace_back("helper_cuda.h", "#include <lanescope_host.h>\n");
    for (const char* name :
         {"vector",     "string",    "iostream",   "algorithm",        "cmath",
          "cassert",    "cstdint",   "cstddef",    "utility",          "limits",
          "chrono",     "random",    "memory",     "functional",       "iomanip",
          "fstream",    "sstream",   "cstring",    "cstdio",           "cstdlib",
          "array",      "tuple",     "numeric",    "type_traits",      "stdio.h",
          "stdlib.h",   "math.h",    "assert.h",   "stdint.h",         "stddef.h",
          "string.h",   "float.h",   "limits.h",   "climits",          "cfloat",
          "map",        "set",       "thread",     "initializer_list", "time.h",
          "ctime",      "cinttypes", "inttypes.h", "stdexcept",        "exception",
          "sys/time.h", "unistd.h",  "optional",   "bitset",           "unordered_map"})
      list->emplace_back(name, "#include <lanescope_std.h>\n");
    return list;
  }();
  return *headers;
}

}  // namespace lanescope
