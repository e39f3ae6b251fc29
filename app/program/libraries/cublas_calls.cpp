// cuBLAS: handles, modes, and copies of vectors and matrices.
#include <fmt/format.h>

#include "program/libraries/cublas.h"

namespace lanescope::app {

Handles<BlasHandle>& blas_handles() {
  static auto* handles = new Handles<BlasHandle>(0x5800'0000);
  return *handles;
}

}  // namespace lanescope::app

using namespace lanescope::app;

namespace {

struct StatusText {
  cublasStatus_t status;
  const char* name;
  const char* text;
};
constexpr StatusText kStatus[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires an architectural feature absent from the device"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
     "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the requested functionality is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the license check failed"},
};

const StatusText* find_status(cublasStatus_t status) {
  for (const StatusText& one : kStatus)
    if (one.status == status) return &one;
  return nullptr;
}

/// Columns of `rows` elements, or elements of a vector as columns of one.
cublasStatus_t copy_columns(const char* function, const void* caller, int rows, int columns,
                            int element, const void* from, int from_ld, void* to, int to_ld,
                            cudaMemcpyKind kind) {
  const std::lock_guard lock(runtime_mutex());
  const Call call(function, caller);
  if (error_from_before() != cudaSuccess) return CUBLAS_STATUS_MAPPING_ERROR;
  if (rows < 0 || columns < 0 || element <= 0 || from_ld < rows || to_ld < rows || from_ld <= 0 ||
      to_ld <= 0)
    return refuse(call, fmt::format("{} x {} elements of {} bytes, {} and {} apart", rows, columns,
                                    element, from_ld, to_ld));
  const auto bytes = static_cast<std::size_t>(element);
  const BoxSize size{static_cast<std::size_t>(rows) * bytes, static_cast<std::size_t>(columns), 1};
  if (size.empty()) return CUBLAS_STATUS_SUCCESS;
  const bool up = kind == cudaMemcpyHostToDevice;
  Box target, source;
  cudaError_t error = box_at(call, "destination", to, static_cast<std::size_t>(to_ld) * bytes, 0,
                             size, up ? Side::device : Side::host, target);
  if (error == cudaSuccess)
    error = box_at(call, "source", from, static_cast<std::size_t>(from_ld) * bytes, 0, size,
                   up ? Side::host : Side::device, source);
  if (error != cudaSuccess) return CUBLAS_STATUS_MAPPING_ERROR;
  copy_box(call, target, source, size);
  call.answered(cudaSuccess);
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  const std::lock_guard lock(runtime_mutex());
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (error_from_before() != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = reinterpret_cast<cublasHandle_t>(blas_handles().make().first);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  return with_handle(LANESCOPE_CALL, handle, [&](const Call&, BlasHandle&) {
    blas_handles().destroy(handle);
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION   ? CUBLAS_VER_MAJOR
           : type == MINOR_VERSION ? CUBLAS_VER_MINOR
                                   : CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusName(cublasStatus_t status) {
  const StatusText* found = find_status(status);
  return found == nullptr ? "unrecognized status" : found->name;
}
const char* cublasGetStatusString(cublasStatus_t status) {
  const StatusText* found = find_status(status);
  return found == nullptr ? "unrecognized status" : found->text;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return with_handle(LANESCOPE_CALL, handle, [&](const Call& call, BlasHandle& found) {
    if (find_stream(call, stream) == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    found.stream = stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return with_handle(LANESCOPE_CALL, handle, [&](const Call&, const BlasHandle& found) {
    *stream = found.stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
  return with_handle(LANESCOPE_CALL, handle,
                     [](const Call&, const BlasHandle&) { return CUBLAS_STATUS_SUCCESS; });
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return with_handle(LANESCOPE_CALL, handle, [&](const Call&, BlasHandle& found) {
    found.pointers = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return with_handle(LANESCOPE_CALL, handle, [&](const Call&, const BlasHandle& found) {
    *mode = found.pointers;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return with_handle(LANESCOPE_CALL, handle, [&](const Call&, BlasHandle& found) {
    found.atomics = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return with_handle(LANESCOPE_CALL, handle, [&](const Call&, const BlasHandle& found) {
    *mode = found.atomics;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return with_handle(LANESCOPE_CALL, handle, [&](const Call&, BlasHandle& found) {
    found.math = mode;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return with_handle(LANESCOPE_CALL, handle, [&](const Call&, const BlasHandle& found) {
    *mode = found.math;
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasSetVector(int count, int element, const void* from, int from_step, void* to,
                               int to_step) {
  return copy_columns(LANESCOPE_CALL, 1, count, element, from, from_step, to, to_step,
                      cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int count, int element, const void* from, int from_step, void* to,
                               int to_step) {
  return copy_columns(LANESCOPE_CALL, 1, count, element, from, from_step, to, to_step,
                      cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetVectorAsync(int count, int element, const void* from, int from_step,
                                    void* to, int to_step, cudaStream_t) {
  return copy_columns(LANESCOPE_CALL, 1, count, element, from, from_step, to, to_step,
                      cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVectorAsync(int count, int element, const void* from, int from_step,
                                    void* to, int to_step, cudaStream_t) {
  return copy_columns(LANESCOPE_CALL, 1, count, element, from, from_step, to, to_step,
                      cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int element, const void* from, int from_ld,
                               void* to, int to_ld) {
  return copy_columns(LANESCOPE_CALL, rows, columns, element, from, from_ld, to, to_ld,
                      cudaMemcpyHostToDevice);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element, const void* from,
                                    int from_ld, void* to, int to_ld, cudaStream_t) {
  return copy_columns(LANESCOPE_CALL, rows, columns, element, from, from_ld, to, to_ld,
                      cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element, const void* from,
                                    int from_ld, void* to, int to_ld, cudaStream_t) {
  return copy_columns(LANESCOPE_CALL, rows, columns, element, from, from_ld, to, to_ld,
                      cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int element, const void* from, int from_ld,
                               void* to, int to_ld) {
  return copy_columns(LANESCOPE_CALL, rows, columns, element, from, from_ld, to, to_ld,
                      cudaMemcpyDeviceToHost);
}
