// What a CUDA compiler makes available before the first line of a .cu file, for the simulator's front-end.
// Included ahead of every kernel text; nothing here is seen by NVRTC.
#pragma once

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __inline__ inline
#define __noinline__
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define LANESCOPE_FN static inline __attribute__((host, device, always_inline))
#define LANESCOPE_MEMBER inline __attribute__((host, device, always_inline))
#define LANESCOPE_DEV static inline __attribute__((device, always_inline))
// Simulator operations: calls that survive to the IR and become one operation each.
#define LANESCOPE_OP extern "C" __attribute__((device, convergent))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#include <lanescope_vectors.h>

// threadIdx and friends read the special registers, member by member.
#define LANESCOPE_SREG(STRUCT, REG)                                                      \
  struct STRUCT {                                                                        \
    __declspec(property(get = get_x)) unsigned x;                                        \
    __declspec(property(get = get_y)) unsigned y;                                        \
    __declspec(property(get = get_z)) unsigned z;                                        \
    static inline __attribute__((device, always_inline)) unsigned get_x() {              \
      return __nvvm_read_ptx_sreg_##REG##_x();                                           \
    }                                                                                    \
    static inline __attribute__((device, always_inline)) unsigned get_y() {              \
      return __nvvm_read_ptx_sreg_##REG##_y();                                           \
    }                                                                                    \
    static inline __attribute__((device, always_inline)) unsigned get_z() {              \
      return __nvvm_read_ptx_sreg_##REG##_z();                                           \
    }                                                                                    \
    __device__ operator uint3() const { return uint3{get_x(), get_y(), get_z()}; }       \
    __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }         \
  };
LANESCOPE_SREG(lanescope_thread_idx, tid)
LANESCOPE_SREG(lanescope_block_idx, ctaid)
LANESCOPE_SREG(lanescope_block_dim, ntid)
LANESCOPE_SREG(lanescope_grid_dim, nctaid)
extern const __device__ __attribute__((weak)) lanescope_thread_idx threadIdx;
extern const __device__ __attribute__((weak)) lanescope_block_idx blockIdx;
extern const __device__ __attribute__((weak)) lanescope_block_dim blockDim;
extern const __device__ __attribute__((weak)) lanescope_grid_dim gridDim;
static constexpr int warpSize = 32;

#include <lanescope_device.h>
#include <lanescope_math.h>
#include <lanescope_host.h>
