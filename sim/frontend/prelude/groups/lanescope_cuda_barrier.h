// cuda::barrier, cuda::pipeline and cuda::memcpy_async. A copy moves its bytes when it is made; where a pipeline waits
// for other threads, all of the block meet.
#pragma once
#include <cooperative_groups_memcpy_async.h>
#include <lanescope_cuda_atomic.h>
#include <lanescope_cuda_std.h>
#include <lanescope_mbarrier.h>

typedef struct CUtensorMap_st CUtensorMap;

namespace cuda {

template <size_t _Alignment> struct aligned_size_t {
  static constexpr size_t align = _Alignment;
  size_t value;
  __attribute__((host, device)) explicit constexpr aligned_size_t(size_t v) : value(v) {}
  __attribute__((host, device)) constexpr operator size_t() const { return value; }
};

// An mbarrier in shared memory. A thread's own copies are there when it arrives.
struct lanescope_no_completion {};
template <thread_scope _Scope, class _Completion = lanescope_no_completion> class barrier {
 public:
  class arrival_token {
    friend class barrier;
    unsigned long long state_ = 0;
  };
  barrier() = default;
  __device__ barrier(ptrdiff_t expected) { lanescope_mbarrier_init(&word_, (unsigned)expected); }
  barrier(const barrier&) = delete;
  __device__ arrival_token arrive(ptrdiff_t count = 1) {
    arrival_token token;
    token.state_ = lanescope_change((unsigned long long)count);
    return token;
  }
  __device__ void wait(arrival_token token) const { wait_parity(token.state_ >> 63); }
  __device__ void wait_parity(bool parity) const {
    while (!lanescope_mbarrier_wait(&word_, parity)) {}
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() { lanescope_change(1ull << 20 | 1ull); }
  __device__ static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
  friend __device__ void init(barrier* b, ptrdiff_t expected) { lanescope_mbarrier_init(&b->word_, (unsigned)expected); }
  __device__ unsigned long long lanescope_change(unsigned long long change) {
    lanescope_async_wait_all();
    return lanescope_mbarrier(&word_, change);
  }
  __device__ unsigned long long* lanescope_word() { return &word_; }
  __device__ arrival_token lanescope_arrive_expecting(ptrdiff_t count, ptrdiff_t bytes) {
    arrival_token token;
    token.state_ = lanescope_change((unsigned long long)count + lanescope_mbarrier_bytes((int)bytes));
    return token;
  }

 private:
  unsigned long long word_;
};
namespace std {
template <class _Completion = lanescope_no_completion> using barrier = ::cuda::barrier<thread_scope_system, _Completion>;
}

// Of a block, a pipeline waits before a stage is read, where all threads meet, and before it is written again, for
// those who still read it; of a thread, never. Where some threads produce and others consume, these wait for those.
enum class pipeline_role { producer, consumer };
template <thread_scope _Scope, unsigned char _Stages> struct pipeline_shared_state {
  unsigned long long lanescope_released[_Stages], lanescope_filled[_Stages];
};
template <thread_scope _Scope> class pipeline {
 public:
  __device__ explicit pipeline(int stages, unsigned long long* released = nullptr) : stages_(stages), released_(released) {}
  __device__ pipeline(int stages, unsigned long long* released, unsigned long long* filled)
      : stages_(stages), released_(released), has_roles_(true), filled_(filled) {}
  __device__ void producer_acquire() {
    if constexpr (_Scope != thread_scope_thread) {
      const int round = acquired_ / stages_, stage = acquired_ % stages_;
      ++acquired_;
      if (round > 0)
        while (!lanescope_mbarrier_wait(&released_[stage], (round - 1) & 1)) {}
    }
  }
  __device__ void producer_commit() {
    lanescope_async_commit();
    if (!has_roles_) return;
    lanescope_async_wait_all();
    lanescope_mbarrier_arrive(&filled_[(acquired_ - 1) % stages_], 1);
  }
  __device__ void consumer_wait() {
    if (has_roles_) {
      const int round = waited_ / stages_, stage = waited_ % stages_;
      ++waited_;
      while (!lanescope_mbarrier_wait(&filled_[stage], round & 1)) {}
      return;
    }
    lanescope_async_wait_oldest();
    if constexpr (_Scope != thread_scope_thread) __syncthreads();
  }
  __device__ void consumer_release() {
    if constexpr (_Scope != thread_scope_thread) lanescope_mbarrier_arrive(&released_[read_++ % stages_], 1);
  }
  __device__ bool quit() { return true; }

 private:
  int stages_, acquired_ = 0, read_ = 0, waited_ = 0;
  unsigned long long* released_;
  bool has_roles_ = false;
  unsigned long long* filled_ = nullptr;
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(1); }
template <class _Group, thread_scope _Scope, unsigned char _Stages>
__device__ inline pipeline<_Scope> make_pipeline(const _Group& group, pipeline_shared_state<_Scope, _Stages>* state) {
  if (group.thread_rank() == 0)
    for (int i = 0; i < _Stages; ++i) lanescope_mbarrier_init(&state->lanescope_released[i], (unsigned)group.size());
  group.sync();
  return pipeline<_Scope>(_Stages, state->lanescope_released);
}
template <class _Group, thread_scope _Scope, unsigned char _Stages>
__device__ inline pipeline<_Scope> make_pipeline(const _Group& group, pipeline_shared_state<_Scope, _Stages>* state, pipeline_role role) {
  const unsigned producers = (unsigned)__syncthreads_count(role == pipeline_role::producer);
  if (group.thread_rank() == 0)
    for (int i = 0; i < _Stages; ++i) {
      lanescope_mbarrier_init(&state->lanescope_released[i], (unsigned)group.size() - producers);
      lanescope_mbarrier_init(&state->lanescope_filled[i], producers);
    }
  group.sync();
  return pipeline<_Scope>(_Stages, state->lanescope_released, state->lanescope_filled);
}
template <class _Group, thread_scope _Scope, unsigned char _Stages>
__device__ inline pipeline<_Scope> make_pipeline(const _Group& group, pipeline_shared_state<_Scope, _Stages>* state, size_t producers) {
  return make_pipeline(group, state, group.thread_rank() < producers ? pipeline_role::producer : pipeline_role::consumer);
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

// ---- bulk copies ----

namespace device {
using lanescope_block_barrier = barrier<thread_scope_block>;
__device__ inline unsigned long long* barrier_native_handle(lanescope_block_barrier& b) { return b.lanescope_word(); }
__device__ inline lanescope_block_barrier::arrival_token barrier_arrive_tx(lanescope_block_barrier& b, ptrdiff_t count, ptrdiff_t bytes) {
  return b.lanescope_arrive_expecting(count, bytes);
}
__device__ inline void barrier_expect_tx(lanescope_block_barrier& b, ptrdiff_t bytes) {
  lanescope_mbarrier(b.lanescope_word(), lanescope_mbarrier_bytes((int)bytes));
}

namespace experimental {
__device__ inline void cp_async_bulk_global_to_shared(void* to, const void* from, unsigned bytes, lanescope_block_barrier& b) {
  lanescope_bulk_copy(to, from, bytes, b.lanescope_word(), true, 0, 0, 0, 0, 0, 0);
}
__device__ inline void cp_async_bulk_shared_to_global(void* to, const void* from, unsigned bytes) {
  lanescope_bulk_copy(from, to, bytes, nullptr, false, 0, 0, 0, 0, 0, 0);
}
__device__ inline void cp_async_bulk_commit_group() { lanescope_async_bulk_commit(); }
template <int _Groups> __device__ inline void cp_async_bulk_wait_group_read() { lanescope_async_bulk_wait(_Groups); }
template <int _Groups> __device__ inline void cp_async_bulk_wait_group() { lanescope_async_bulk_wait(_Groups); }
__device__ inline void fence_proxy_async_shared_cta() { lanescope_async_fence_proxy(); }
__device__ inline void fence_proxy_async_shared() { lanescope_async_fence_proxy(); }
// Coordinates innermost first; those that a tensor lacks are zero.
#define LANESCOPE_TENSOR_COPIES(N, COORDINATES, ALL)                                                                     \
  __device__ inline void cp_async_bulk_tensor_##N##d_global_to_shared(void* to, const CUtensorMap* map, COORDINATES, lanescope_block_barrier& b) { \
    lanescope_bulk_copy(to, map, 0, b.lanescope_word(), true, N, ALL);                                                   \
  }                                                                                                                      \
  __device__ inline void cp_async_bulk_tensor_##N##d_shared_to_global(const CUtensorMap* map, COORDINATES, const void* from) { \
    lanescope_bulk_copy(from, map, 0, nullptr, false, N, ALL);                                                           \
  }
#define LANESCOPE_LIST(...) __VA_ARGS__
LANESCOPE_TENSOR_COPIES(1, LANESCOPE_LIST(int c0), LANESCOPE_LIST(c0, 0, 0, 0, 0))
LANESCOPE_TENSOR_COPIES(2, LANESCOPE_LIST(int c0, int c1), LANESCOPE_LIST(c0, c1, 0, 0, 0))
LANESCOPE_TENSOR_COPIES(3, LANESCOPE_LIST(int c0, int c1, int c2), LANESCOPE_LIST(c0, c1, c2, 0, 0))
LANESCOPE_TENSOR_COPIES(4, LANESCOPE_LIST(int c0, int c1, int c2, int c3), LANESCOPE_LIST(c0, c1, c2, c3, 0))
LANESCOPE_TENSOR_COPIES(5, LANESCOPE_LIST(int c0, int c1, int c2, int c3, int c4), LANESCOPE_LIST(c0, c1, c2, c3, c4))
#undef LANESCOPE_TENSOR_COPIES
#undef LANESCOPE_LIST
}  // namespace experimental
}  // namespace device

}  // namespace cuda
