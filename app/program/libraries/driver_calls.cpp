// The driver API, over the runtime's functions: their codes are the same numbers.
#include "frontend/prelude/host/lanescope_driver.h"
#include "program/runtime/copy.h"

using namespace lanescope::app;

namespace {

const auto kContext = reinterpret_cast<CUcontext>(0x5a00'0000);
/// Contexts that a thread has made its own, over and over: there is one.
thread_local int depth = 0;

template <class Body>
CUresult driver(const char* function, const void* caller, Body body) {
  return static_cast<CUresult>(answer(function, caller, body));
}

cudaError_t check_device(const Call& call, const void* answer_to, CUdevice device) {
  if (answer_to == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
  return device == 0 ? cudaSuccess : call.fail(cudaErrorInvalidDevice, "there is only device 0");
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
CUresult code(cudaError_t error) { return static_cast<CUresult>(error); }

}  // namespace

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) { return code(cudaDriverGetVersion(version)); }

CUresult cuGetErrorName(CUresult error, const char** name) {
  *name = nullptr;
  const struct {
    CUresult error;
    const char* name;
  } names[] = {
#define LANESCOPE_NAME(name) {name, #name}
      LANESCOPE_NAME(CUDA_SUCCESS),
      LANESCOPE_NAME(CUDA_ERROR_INVALID_VALUE),
      LANESCOPE_NAME(CUDA_ERROR_OUT_OF_MEMORY),
      LANESCOPE_NAME(CUDA_ERROR_NOT_INITIALIZED),
      LANESCOPE_NAME(CUDA_ERROR_DEINITIALIZED),
      LANESCOPE_NAME(CUDA_ERROR_NO_DEVICE),
      LANESCOPE_NAME(CUDA_ERROR_INVALID_DEVICE),
      LANESCOPE_NAME(CUDA_ERROR_INVALID_IMAGE),
      LANESCOPE_NAME(CUDA_ERROR_INVALID_CONTEXT),
      LANESCOPE_NAME(CUDA_ERROR_NO_BINARY_FOR_GPU),
      LANESCOPE_NAME(CUDA_ERROR_FILE_NOT_FOUND),
      LANESCOPE_NAME(CUDA_ERROR_INVALID_HANDLE),
      LANESCOPE_NAME(CUDA_ERROR_NOT_FOUND),
      LANESCOPE_NAME(CUDA_ERROR_NOT_READY),
      LANESCOPE_NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
      LANESCOPE_NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
      LANESCOPE_NAME(CUDA_ERROR_ASSERT),
      LANESCOPE_NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION),
      LANESCOPE_NAME(CUDA_ERROR_MISALIGNED_ADDRESS),
      LANESCOPE_NAME(CUDA_ERROR_LAUNCH_FAILED),
      LANESCOPE_NAME(CUDA_ERROR_NOT_PERMITTED),
      LANESCOPE_NAME(CUDA_ERROR_NOT_SUPPORTED),
      LANESCOPE_NAME(CUDA_ERROR_UNKNOWN),
#undef LANESCOPE_NAME
  };
  for (const auto& one : names)
    if (one.error == error) *name = one.name;
  return *name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    const cudaError_t error = check_device(call, device, ordinal);
    if (error == cudaSuccess) *device = 0;
    return error;
  });
}
CUresult cuDeviceGetCount(int* count) { return code(cudaGetDeviceCount(count)); }
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    const cudaError_t error = check_device(call, name, device);
    if (error != cudaSuccess || length <= 0) return error;
    const std::string_view all = runtime().facts.name;
    name[all.copy(name, static_cast<std::size_t>(length - 1))] = 0;
    return cudaSuccess;
  });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    if (const cudaError_t error = check_device(call, value, device); error != cudaSuccess)
      return error;
    return device_attribute(runtime().outer.device, runtime().facts, attribute, *value)
               ? cudaSuccess
               : call.fail(cudaErrorInvalidValue, "there is no such attribute");
  });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    cudaError_t error = check_device(call, major, device);
    if (error == cudaSuccess) error = check_device(call, minor, device);
    if (error != cudaSuccess) return error;
    *major = runtime().outer.device.compute_major;
    *minor = runtime().outer.device.compute_minor;
    return cudaSuccess;
  });
}
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    const cudaError_t error = check_device(call, bytes, device);
    if (error == cudaSuccess) *bytes = runtime().facts.memory_bytes;
    return error;
  });
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return code(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    const cudaError_t error = check_device(call, context, device);
    if (error == cudaSuccess) *context = kContext;
    return error;
  });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxCreate_v2(CUcontext* context, unsigned, CUdevice device) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    const cudaError_t error = check_device(call, context, device);
    if (error != cudaSuccess) return error;
    *context = kContext;
    ++depth;
    return cudaSuccess;
  });
}
CUresult cuCtxDestroy_v2(CUcontext context) {
  return context == kContext ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = depth > 0 ? kContext : nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  depth = context == nullptr ? 0 : 1;
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (context != kContext) return CUDA_ERROR_INVALID_CONTEXT;
  ++depth;
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  if (depth == 0) return CUDA_ERROR_INVALID_CONTEXT;
  --depth;
  if (context != nullptr) *context = kContext;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) { return code(cudaGetDevice(device)); }
CUresult cuCtxSynchronize() { return code(cudaDeviceSynchronize()); }

CUresult cuMemAlloc_v2(CUdeviceptr* to, size_t bytes) {
  void* made = nullptr;
  const CUresult result = code(cudaMalloc(&made, bytes));
  *to = reinterpret_cast<CUdeviceptr>(made);
  return result;
}
CUresult cuMemFree_v2(CUdeviceptr p) { return code(cudaFree(pointer(p))); }
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    return copy_bytes(call, pointer(to), from, bytes, cudaMemcpyHostToDevice);
  });
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    return copy_bytes(call, to, pointer(from), bytes, cudaMemcpyDeviceToHost);
  });
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    return copy_bytes(call, pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice);
  });
}
CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t bytes) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    return fill_box(call, pointer(to), bytes, 0, {bytes, 1, 1}, value, 1);
  });
}
CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr p) {
  return driver(LANESCOPE_CALL, [&](const Call& call) {
    const Allocation* found = device_memory().at(p);
    if (found == nullptr)
      return call.fail(cudaErrorInvalidValue, "the address is in no allocation of the device");
    if (base != nullptr) *base = found->address;
    if (bytes != nullptr) *bytes = found->bytes;
    return cudaSuccess;
  });
}
CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return code(cudaMemGetInfo(free_bytes, total_bytes));
}
