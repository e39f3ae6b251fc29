// What headers of ours need where the text is plain C++, whose compiler knows no device: CUDA's words mean nothing
// there, and what runs on the device alone is only declared.
#pragma once

#define LANESCOPE_PROGRAM 1
#define LANESCOPE_HOST_PASS 1
#define LANESCOPE_HOST_TEXT 1
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#define LANESCOPE_ROUNDS_EACH
#define LANESCOPE_MAY_FUSE
#define LANESCOPE_FN static inline
#define LANESCOPE_MEMBER inline
#define LANESCOPE_MATH static inline
#define LANESCOPE_DEV static inline
#define LANESCOPE_OP extern "C"
