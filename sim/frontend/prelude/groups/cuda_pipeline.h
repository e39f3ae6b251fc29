// The pipeline of one thread, in CUDA's first form of it.
#pragma once
#include <lanescope_pipeline.h>

namespace nvcuda {
namespace experimental {

class pipeline {
 public:
  __device__ size_t commit() { return lanescope_async_commit(), batch_++; }
  __device__ void commit_and_wait() { lanescope_async_wait_all(), ++batch_; }
  __device__ void wait(size_t) { lanescope_async_wait_all(); }
  template <unsigned _Prior> __device__ void wait_prior() { lanescope_async_wait(_Prior); }

 private:
  size_t batch_ = 0;
};
template <class _Tp> __device__ inline void memcpy_async(_Tp& to, const _Tp& from, pipeline&) {
  if constexpr (sizeof(_Tp) == 4 || sizeof(_Tp) == 8 || sizeof(_Tp) == 16) lanescope_async_copy(&to, &from, (int)sizeof(_Tp));
  else to = from;
}

}  // namespace experimental
}  // namespace nvcuda
