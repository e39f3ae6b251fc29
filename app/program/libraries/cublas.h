// What the files of cuBLAS share: handles, and operands that have been checked.
#pragma once

#include <fmt/format.h>

#include "frontend/prelude/host/lanescope_cublas.h"
#include "program/runtime/copy.h"
#include "program/runtime/submit.h"

namespace lanescope::app {

struct BlasHandle {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
};
Handles<BlasHandle>& blas_handles();

/// Answers a call that needs a handle.
template <class Body>
cublasStatus_t with_handle(const char* function, const void* caller, cublasHandle_t handle,
                           Body body) {
  const std::lock_guard lock(runtime_mutex());
  const Call call(function, caller);
  BlasHandle* found = blas_handles().find(handle);
  if (found == nullptr) {
    call.mistake("this is no handle of cublasCreate (CUBLAS_STATUS_NOT_INITIALIZED)");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  if (error_from_before() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  const cublasStatus_t status = body(call, *found);
  call.answered(status == CUBLAS_STATUS_SUCCESS
                    ? std::string()
                    : fmt::format("cublasStatus_t {}", static_cast<int>(status)));
  return status;
}

/// Tells what is wrong with a call's numbers.
inline cublasStatus_t refuse(const Call& call, const std::string& text) {
  call.mistake(text + " (CUBLAS_STATUS_INVALID_VALUE)");
  return CUBLAS_STATUS_INVALID_VALUE;
}

/// Does the work in the handle's stream; as one kernel, if it is captured.
inline cublasStatus_t submit_blas(const Call& call, const BlasHandle& handle, Work work) {
  const cudaError_t error = submit(call, handle.stream, cudaGraphNodeTypeKernel, std::move(work));
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// Elements some steps apart, as a vector is given; backwards from its end if the step is negative.
template <class T>
struct Strided {
  T* first = nullptr;
  std::ptrdiff_t step = 1;
  T& operator[](int i) const { return first[i * step]; }
};

/// Finds the storage of a call's operands. What is wrong is told once, and failed() from then on.
class Operands {
 public:
  explicit Operands(const Call& call) : call_(call) {}
  [[nodiscard]] bool failed() const { return failed_; }

  template <class T>
  T* bytes(const char* role, T* pointer, std::size_t bytes) {
    if (bytes == 0 || failed_) return nullptr;
    std::byte* found = locate(call_, role, pointer, bytes, Side::device);
    failed_ = found == nullptr;
    return reinterpret_cast<T*>(found);
  }
  template <class T>
  T* matrix(const char* role, T* pointer, std::size_t rows, std::size_t columns, std::size_t ld) {
    const bool none = rows == 0 || columns == 0;
    return bytes(role, pointer, none ? 0 : ((columns - 1) * ld + rows) * sizeof(T));
  }
  template <class T>
  Strided<T> vector(const char* role, T* pointer, int count, int step) {
    const auto apart = static_cast<std::size_t>(step < 0 ? -step : step);
    const auto last = static_cast<std::size_t>(count <= 0 ? 0 : count - 1) * apart;
    T* found = bytes(role, pointer, count <= 0 ? 0 : (last + 1) * sizeof(T));
    return {found == nullptr || step >= 0 ? found : found + last, step};
  }

 private:
  const Call& call_;
  bool failed_ = false;
};

/// A factor or a result, in the host's memory or the device's as the handle's mode says. The host's is
/// read when the call is made.
template <class T>
class Scalar {
 public:
  Scalar(const BlasHandle& handle, const T* pointer)
      : device_(handle.pointers == CUBLAS_POINTER_MODE_DEVICE ? pointer : nullptr),
        value_(device_ == nullptr && pointer != nullptr ? *pointer : T{}) {}
  [[nodiscard]] T read(Operands& operands) const {
    if (device_ == nullptr) return value_;
    const T* found = operands.bytes("factor", device_, sizeof(T));
    return found == nullptr ? T{} : *found;
  }

 private:
  const T* device_;
  T value_;
};

inline cudaError_t failed_work() { return cudaErrorInvalidValue; }

}  // namespace lanescope::app
