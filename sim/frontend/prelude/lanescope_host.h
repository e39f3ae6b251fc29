// Just enough of the host API for whole programs to parse; bodies of host-only functions are skipped.
#pragma once

enum cudaError { cudaSuccess = 0, cudaErrorUnknown = 999 };
typedef cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
struct cudaDeviceProp { char name[256]; size_t totalGlobalMem; int major, minor, multiProcessorCount, clockRate, memoryClockRate, memoryBusWidth, warpSize, maxThreadsPerBlock; size_t sharedMemPerBlock, l2CacheSize; };
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
extern "C" cudaError_t cudaGetLastError();
extern "C" cudaError_t cudaDeviceSynchronize();
extern "C" const char* cudaGetErrorString(cudaError_t);
extern "C" cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
extern "C" cudaError_t cudaMemset(void*, int, size_t);
extern "C" cudaError_t cudaFree(void*);
template <class T> cudaError_t cudaMalloc(T** p, size_t n);
template <class T> cudaError_t cudaMallocManaged(T** p, size_t n, unsigned flags = 1);
