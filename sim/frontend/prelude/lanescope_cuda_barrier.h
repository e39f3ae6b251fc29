// cuda::barrier, cuda::pipeline and cuda::memcpy_async, for all threads of a block together. A copy moves
// its bytes when it is made; what waits for other threads is the block's own barrier, and a barrier that counts
// fewer threads than the block has stops the kernel with a message.
#pragma once
#include <cooperative_groups_memcpy_async.h>
#include <lanescope_cuda_atomic.h>
#include <utility>

namespace cuda {

template <size_t _Alignment> struct aligned_size_t {
  static constexpr size_t align = _Alignment;
  size_t value;
  __attribute__((host, device)) explicit constexpr aligned_size_t(size_t v) : value(v) {}
  __attribute__((host, device)) constexpr operator size_t() const { return value; }
};

struct lanescope_no_completion {};
template <thread_scope _Scope, class _Completion = lanescope_no_completion> class barrier {
 public:
  struct arrival_token {};
  barrier() = default;
  __device__ barrier(ptrdiff_t expected) : expected_((int)expected) {}
  // Whoever has arrived meets the others when it waits.
  __device__ arrival_token arrive(ptrdiff_t = 1) { return {}; }
  __device__ void wait(arrival_token) const { meet(); }
  __device__ void wait(arrival_token&&, int) const { meet(); }
  __device__ void arrive_and_wait() { meet(); }
  __device__ static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
  friend __device__ void init(barrier* b, ptrdiff_t expected) { b->expected_ = (int)expected; }

 private:
  __device__ void meet() const {
    if (expected_ != (int)(blockDim.x * blockDim.y * blockDim.z)) lanescope_assert_fail("a cuda::barrier of other than all threads of the block");
    lanescope_async_wait_all();
    __syncthreads();
  }
  int expected_;
};
namespace std {
using ::std::forward;
using ::std::move;
template <class _Completion = lanescope_no_completion> using barrier = ::cuda::barrier<thread_scope_system, _Completion>;
}

// Of a block, a pipeline waits before a stage is written again and before it is read; of a thread, never.
template <thread_scope _Scope, unsigned char _Stages> struct pipeline_shared_state { char lanescope_unused; };
template <thread_scope _Scope> class pipeline {
 public:
  __device__ explicit pipeline(int stages) : stages_(stages) {}
  __device__ void producer_acquire() {
    if constexpr (_Scope != thread_scope_thread)
      if (acquired_++ >= stages_) __syncthreads();
  }
  __device__ void producer_commit() { lanescope_async_commit(); }
  __device__ void consumer_wait() {
    lanescope_async_wait_oldest();
    if constexpr (_Scope != thread_scope_thread) __syncthreads();
  }
  __device__ void consumer_release() {}
  __device__ bool quit() { return true; }

 private:
  int stages_, acquired_ = 0;
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(1); }
template <class _Group, thread_scope _Scope, unsigned char _Stages>
__device__ inline pipeline<_Scope> make_pipeline(const _Group&, pipeline_shared_state<_Scope, _Stages>*) {
  return pipeline<_Scope>(_Stages);
}
template <unsigned char _Prior> __device__ inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {
  lanescope_async_wait(_Prior);
}

// One thread as a group of its own.
struct lanescope_single {
  static __device__ unsigned thread_rank() { return 0; }
  static __device__ unsigned size() { return 1; }
};
template <class _Group, class _Tp, class _Sync> __device__ inline void memcpy_async(const _Group& group, _Tp* to, const _Tp* from, size_t bytes, _Sync&) {
  cooperative_groups::lanescope_copy(group, to, from, bytes);
}
template <class _Group, class _Sync> __device__ inline void memcpy_async(const _Group& group, void* to, const void* from, size_t bytes, _Sync&) {
  cooperative_groups::lanescope_copy(group, to, from, bytes);
}
template <class _Tp, class _Sync> __device__ inline void memcpy_async(_Tp* to, const _Tp* from, size_t bytes, _Sync&) {
  cooperative_groups::lanescope_copy(lanescope_single(), to, from, bytes);
}
template <class _Sync> __device__ inline void memcpy_async(void* to, const void* from, size_t bytes, _Sync&) {
  cooperative_groups::lanescope_copy(lanescope_single(), to, from, bytes);
}

}  // namespace cuda
