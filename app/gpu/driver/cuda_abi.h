// The few types, numbers and functions of the CUDA driver, NVRTC, cuBLAS and NVML that are used
// here, after their documented binary interfaces (CUDA Driver API, NVRTC, cuBLAS and NVML reference
// manuals, CUDA 11 to 13). Declaring them ourselves lets the program be built where no toolkit is
// installed.
#pragma once

#include <cstddef>

namespace lanescope::gpu {

using CuResult = int;
using CuDevice = int;
using CuContext = struct CuContextTag*;
using CuModule = struct CuModuleTag*;
using CuFunction = struct CuFunctionTag*;
using CuEvent = struct CuEventTag*;
using CuStream = struct CuStreamTag*;
using CuPointer = unsigned long long;

// CUresult
inline constexpr CuResult kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kNoDevice = 100,
                          kNoBinaryForGpu = 209, kInvalidPtx = 218, kUnsupportedPtx = 222,
                          kIllegalAddress = 700, kOutOfResources = 701, kLaunchTimeout = 702,
                          kAssert = 710, kHardwareStack = 714, kIllegalInstruction = 715,
                          kMisalignedAddress = 716, kLaunchFailed = 719, kNotSupported = 801,
                          kDriverMismatch = 803;
// CUdevice_attribute
inline constexpr int kClockRate = 13, kMultiprocessors = 16, kMemoryClockRate = 36, kL2Bytes = 38,
                     kComputeMajor = 75, kComputeMinor = 76;
// CUfunction_attribute
inline constexpr int kStaticShared = 1, kLocalBytes = 3, kRegisters = 4, kMaxDynamicShared = 8;

struct DriverApi {
  CuResult (*init)(unsigned flags);
  CuResult (*driver_version)(int*);
  CuResult (*device_count)(int*);
  CuResult (*device_get)(CuDevice*, int ordinal);
  CuResult (*device_name)(char*, int length, CuDevice);
  CuResult (*device_attribute)(int*, int attribute, CuDevice);
  CuResult (*device_total_memory)(std::size_t*, CuDevice);
  CuResult (*device_pci_id)(char*, int length, CuDevice);
  CuResult (*primary_context_retain)(CuContext*, CuDevice);
  CuResult (*context_set_current)(CuContext);
  CuResult (*context_synchronize)();
  CuResult (*memory_allocate)(CuPointer*, std::size_t);
  CuResult (*memory_free)(CuPointer);
  CuResult (*memory_set_bytes)(CuPointer, unsigned char, std::size_t);
  CuResult (*copy_on_device)(CuPointer to, CuPointer from, std::size_t, CuStream);
  CuResult (*copy_to_host)(void* to, CuPointer from, std::size_t);
  CuResult (*host_allocate)(void**, std::size_t);
  CuResult (*host_free)(void*);
  CuResult (*module_load)(CuModule*, const void* image);
  CuResult (*module_unload)(CuModule);
  CuResult (*module_function)(CuFunction*, CuModule, const char* name);
  CuResult (*function_attribute)(int*, int attribute, CuFunction);
  CuResult (*set_function_attribute)(CuFunction, int attribute, int value);
  CuResult (*resident_blocks)(int*, CuFunction, int threads, std::size_t dynamic_shared);
  CuResult (*launch)(CuFunction, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                     unsigned bz, unsigned shared, CuStream, void** parameters, void** extra);
  CuResult (*event_create)(CuEvent*, unsigned flags);
  CuResult (*event_destroy)(CuEvent);
  CuResult (*event_record)(CuEvent, CuStream);
  CuResult (*event_synchronize)(CuEvent);
  CuResult (*event_elapsed)(float* milliseconds, CuEvent from, CuEvent to);
  CuResult (*error_name)(CuResult, const char**);
  CuResult (*error_text)(CuResult, const char**);
  /// Null in drivers before CUDA 12. Into 128 bytes at a multiple of 64; enumerations as numbers.
  CuResult (*tensor_map_encode)(void* map, int type, unsigned rank, CuPointer address,
                                const unsigned long long* extents,
                                const unsigned long long* strides, const unsigned* box,
                                const unsigned* element_strides, int interleave, int swizzle,
                                int promotion, int fill);
};

using NvrtcResult = int;
using NvrtcProgram = struct NvrtcProgramTag*;

struct NvrtcApi {
  NvrtcResult (*version)(int* major, int* minor);
  NvrtcResult (*arch_count)(int*);
  NvrtcResult (*archs)(int*);
  NvrtcResult (*create)(NvrtcProgram*, const char* text, const char* name, int headers,
                        const char* const* contents, const char* const* include_names);
  NvrtcResult (*destroy)(NvrtcProgram*);
  NvrtcResult (*add_name)(NvrtcProgram, const char* expression);
  NvrtcResult (*compile)(NvrtcProgram, int options, const char* const*);
  NvrtcResult (*lowered_name)(NvrtcProgram, const char* expression, const char** name);
  NvrtcResult (*log_size)(NvrtcProgram, std::size_t*);
  NvrtcResult (*log)(NvrtcProgram, char*);
  NvrtcResult (*cubin_size)(NvrtcProgram, std::size_t*);
  NvrtcResult (*cubin)(NvrtcProgram, char*);
  NvrtcResult (*ptx_size)(NvrtcProgram, std::size_t*);
  NvrtcResult (*ptx)(NvrtcProgram, char*);
  const char* (*error_text)(NvrtcResult);
};

using CublasHandle = struct CublasHandleTag*;
inline constexpr int kNotTransposed = 0, kTransposed = 1;  // cublasOperation_t

/// Geam: C (m x n, column-major) = alpha op(A) + beta op(B).
template <class T>
using CublasGeam = int (*)(CublasHandle, int op_a, int op_b, int m, int n, const T* alpha,
                           const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc);
/// Gemm: C (m x n, column-major) = alpha op(A) op(B) + beta C.
template <class T>
using CublasGemm = int (*)(CublasHandle, int op_a, int op_b, int m, int n, int k, const T* alpha,
                           const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc);
/// Gemm of two element types; C's type is the third, the accumulator that of `compute`.
using CublasGemmEx = int (*)(CublasHandle, int op_a, int op_b, int m, int n, int k,
                             const void* alpha, const void* a, int a_type, int lda, const void* b,
                             int b_type, int ldb, const void* beta, void* c, int c_type, int ldc,
                             int compute, int algorithm);
// cudaDataType_t, cublasComputeType_t, cublasGemmAlgo_t
inline constexpr int kHalfType = 2, kFloatAccumulator = 68, kDefaultAlgorithm = -1;
struct CublasApi {
  int (*create)(CublasHandle*);
  int (*destroy)(CublasHandle);
  int (*version)(CublasHandle, int*);
  CublasGeam<float> geam_float;
  CublasGeam<double> geam_double;
  CublasGemm<float> gemm_float;
  CublasGemm<double> gemm_double;
  CublasGemmEx gemm_ex;
};

using NvmlDevice = struct NvmlDeviceTag*;
inline constexpr int kNvmlSmClock = 1, kNvmlMemoryClock = 2;  // nvmlClockType_t

struct NvmlApi {
  int (*init)();
  int (*driver_version)(char*, unsigned length);
  int (*device_by_pci_id)(const char*, NvmlDevice*);
  int (*max_clock)(NvmlDevice, int type, unsigned* megahertz);
};

}  // namespace lanescope::gpu
