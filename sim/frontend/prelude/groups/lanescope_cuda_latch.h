// cuda::latch and cuda::counting_semaphore: counters that threads wait for.
#pragma once
#include <lanescope_cuda_atomic.h>

namespace cuda {

template <thread_scope _Scope> class latch {
 public:
  __attribute__((host, device)) constexpr explicit latch(ptrdiff_t expected) : left_((int)expected) {}
  latch(const latch&) = delete;
  __device__ void count_down(ptrdiff_t n = 1) { left_.fetch_sub((int)n, memory_order_release); }
  __device__ bool try_wait() const { return left_.load(memory_order_acquire) == 0; }
  __device__ void wait() const {
    while (!try_wait()) {}
  }
  __device__ void arrive_and_wait(ptrdiff_t n = 1) {
    count_down(n);
    wait();
  }
  static constexpr ptrdiff_t max() { return 0x7fffffff; }

 private:
  atomic<int, _Scope> left_;
};

template <thread_scope _Scope, ptrdiff_t _Max = 0x7fffffff> class counting_semaphore {
 public:
  __attribute__((host, device)) constexpr explicit counting_semaphore(ptrdiff_t count) : count_((int)count) {}
  counting_semaphore(const counting_semaphore&) = delete;
  __device__ void release(ptrdiff_t n = 1) { count_.fetch_add((int)n, memory_order_release); }
  __device__ bool try_acquire() {
    int there = count_.load(memory_order_relaxed);
    while (there > 0)
      if (count_.compare_exchange_weak(there, there - 1, memory_order_acquire)) return true;
    return false;
  }
  __device__ void acquire() {
    while (!try_acquire()) {}
  }
  static constexpr ptrdiff_t max() { return _Max; }

 private:
  atomic<int, _Scope> count_;
};
template <thread_scope _Scope> using binary_semaphore = counting_semaphore<_Scope, 1>;

namespace std {
using latch = ::cuda::latch<thread_scope_system>;
template <ptrdiff_t _Max = 0x7fffffff> using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, _Max>;
using binary_semaphore = counting_semaphore<1>;
}  // namespace std
}  // namespace cuda
