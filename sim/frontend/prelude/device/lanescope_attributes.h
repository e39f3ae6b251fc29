// What a CUDA compiler predefines: its version, and the words that say where a function or variable lives.
#pragma once

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_FEAT_SM90_ALL 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000

// Between the two, each operation rounds for itself: no product becomes one with a sum. The host's never do.
#ifdef LANESCOPE_HOST_PASS
#define LANESCOPE_ROUNDS_EACH
#define LANESCOPE_MAY_FUSE
#else
#define LANESCOPE_ROUNDS_EACH _Pragma("clang fp contract(off)")
#define LANESCOPE_MAY_FUSE _Pragma("clang fp contract(fast)")
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// What the host knows a device variable by serves as a managed one's storage.
#ifdef LANESCOPE_PROGRAM
#define __managed__ __attribute__((device, annotate("lanescope_managed")))
#else
#define __managed__ __attribute__((device))
#endif
#define __grid_constant__ __attribute__((annotate("lanescope_grid_constant")))
// CUTLASS leaves it out for Clang, as Clang's own CUDA has none.
#define CUTLASS_GRID_CONSTANT __grid_constant__
#define __cluster_dims__(...) __attribute__((annotate("lanescope_cluster", __VA_ARGS__)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __inline__ inline
#define __noinline__
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// How functions are called on other systems.
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB
#define LANESCOPE_FN static inline __attribute__((host, device, always_inline))
#define LANESCOPE_MEMBER inline __attribute__((host, device, always_inline))
// What the host's C library has too: the device's own beside it.
#ifdef LANESCOPE_PROGRAM
#define LANESCOPE_MATH static inline __attribute__((device, always_inline))
#else
#define LANESCOPE_MATH LANESCOPE_FN
#endif
#define LANESCOPE_DEV static inline __attribute__((device, always_inline))
// Simulator operations: calls that survive to the IR and become one operation each.
#define LANESCOPE_OP extern "C" __attribute__((device, convergent))
