// Cooperative groups: thread blocks and tiles, as far as shared-memory kernels use them.
#pragma once

namespace cooperative_groups {

class thread_block {
 public:
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ unsigned num_threads() { return size(); }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
__device__ inline thread_block this_thread_block() { return {}; }

template <unsigned Size, class Parent = thread_block> class thread_block_tile {
 public:
  static __device__ unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static __device__ unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static __device__ unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  static constexpr __device__ unsigned size() { return Size; }
  static constexpr __device__ unsigned num_threads() { return Size; }
  static __device__ unsigned mask() {
    if constexpr (Size == 32) return 0xffffffffu;
    else return ((1u << Size) - 1u) << (lanescope_laneid() / Size * Size);
  }
  static __device__ void sync() { lanescope_syncwarp(mask()); }
  template <class _Tp> static __device__ _Tp shfl(_Tp v, int lane) { return __shfl_sync(mask(), v, lane, Size); }
  template <class _Tp> static __device__ _Tp shfl_up(_Tp v, unsigned d) { return __shfl_up_sync(mask(), v, d, Size); }
  template <class _Tp> static __device__ _Tp shfl_down(_Tp v, unsigned d) { return __shfl_down_sync(mask(), v, d, Size); }
  template <class _Tp> static __device__ _Tp shfl_xor(_Tp v, unsigned x) { return __shfl_xor_sync(mask(), v, (int)x, Size); }
  static __device__ unsigned ballot(int p) { return (__ballot_sync(mask(), p) & mask()) >> (lanescope_laneid() / Size * Size); }
  static __device__ int any(int p) { return __any_sync(mask(), p); }
  static __device__ int all(int p) { return __all_sync(mask(), p); }
};
template <unsigned Size, class Parent> __device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}
template <class Group> __device__ inline void sync(const Group& g) { g.sync(); }

}  // namespace cooperative_groups
