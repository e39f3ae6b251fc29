// Launches of grids by device code. A thread leaves what it asks for in a queue; whoever runs the grid runs what is
// there when the grid has ended. Of the runtime device code has what needs no waiting: since CUDA 12 it cannot wait
// for what it has launched.
#pragma once

#if __cplusplus >= 201703L
// Entries one after the other, each a head and its arguments, as simulated_device's nested_launches reads them.
struct lanescope_nested_queue_state {
  unsigned long long used, lost;
  alignas(8) char entries[4 << 20];
};
static __device__ lanescope_nested_queue_state lanescope_nested_queue;
struct lanescope_nested_head {
  unsigned long long bytes, kernel, shared_bytes;
  unsigned grid[3], block[3], arguments, line;
};

// Each value behind its size, in words of eight bytes.
template <class T> LANESCOPE_DEV char* lanescope_nested_put(char* at, const T& value) {
  *(unsigned long long*)at = sizeof(T);
  __builtin_memcpy(at + 8, &value, sizeof(T));
  return at + 8 + (sizeof(T) + 7) / 8 * 8;
}

// Outside of functions, where a kernel may be named.
template <auto _Kernel> __device__ constexpr auto lanescope_nested_kernel = _Kernel;

template <auto _Kernel> class lanescope_nested;
template <class... _Parameters, void (*_Kernel)(_Parameters...)> class lanescope_nested<_Kernel> {
 public:
  __device__ lanescope_nested(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t = nullptr, int line = __builtin_LINE())
      : head_{kBytes, (unsigned long long)(void*)lanescope_nested_kernel<_Kernel>, shared_bytes, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, sizeof...(_Parameters), (unsigned)line} {}
  __device__ void operator()(_Parameters... values) const {
    const unsigned long long from = __atomic_fetch_add(&lanescope_nested_queue.used, kBytes, __ATOMIC_RELAXED);
    if (from + kBytes > sizeof lanescope_nested_queue.entries) {
      __atomic_fetch_add(&lanescope_nested_queue.lost, 1, __ATOMIC_RELAXED);
      return;
    }
    char* at = lanescope_nested_queue.entries + from;
    __builtin_memcpy(at, &head_, sizeof head_);
    at += sizeof head_;
    ((at = lanescope_nested_put(at, values)), ...);
  }

 private:
  static constexpr unsigned long long kBytes = (sizeof(lanescope_nested_head) + ... + (8 + (sizeof(_Parameters) + 7) / 8 * 8));
  lanescope_nested_head head_;
};
#endif

extern "C" {
__device__ inline cudaError_t cudaGetLastError() { return cudaSuccess; }
__device__ inline cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
__device__ inline const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : "out of memory";
}
__device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = nullptr;
  return cudaSuccess;
}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
__device__ inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind, cudaStream_t) {
  __builtin_memcpy(to, from, bytes);
  return cudaSuccess;
}
__device__ inline cudaError_t cudaMemsetAsync(void* to, int byte, size_t bytes, cudaStream_t) {
  __builtin_memset(to, byte, bytes);
  return cudaSuccess;
}
__device__ inline cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  *pointer = malloc(bytes);
  return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
__device__ inline cudaError_t cudaFree(void* pointer) {
  free(pointer);
  return cudaSuccess;
}
}
template <class T> __device__ inline cudaError_t cudaMalloc(T** pointer, size_t bytes) { return cudaMalloc((void**)(void*)pointer, bytes); }
