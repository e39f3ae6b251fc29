// Device-side built-ins that are neither arithmetic nor plain C++: shuffles, votes, atomics, fences.
#pragma once

LANESCOPE_OP void lanescope_syncwarp(unsigned mask);
// Matrices are about to be moved that all lanes of the warp hold part of.
LANESCOPE_OP void lanescope_whole_warp();
LANESCOPE_OP unsigned lanescope_shfl(unsigned mask, unsigned value, int operand, int width, int mode);
LANESCOPE_OP unsigned long long lanescope_shfl64(unsigned mask, unsigned long long value, int operand,
                                                 int width, int mode);
LANESCOPE_OP unsigned lanescope_ballot(unsigned mask, bool predicate);
LANESCOPE_OP unsigned lanescope_activemask();
LANESCOPE_OP unsigned lanescope_match_any(unsigned mask, unsigned long long value);
LANESCOPE_OP int lanescope_barrier_count(bool predicate);
LANESCOPE_OP unsigned lanescope_laneid();
LANESCOPE_OP unsigned lanescope_warpid();
LANESCOPE_OP long long lanescope_clock();
LANESCOPE_OP void lanescope_async_copy(void* shared, const void* global, int bytes);
// What follows an asynchronous copy: those so far become a group; all but the newest `groups` are waited for,
// or all copies, or the oldest group.
LANESCOPE_OP void lanescope_async_commit();
LANESCOPE_OP void lanescope_async_wait(unsigned groups);
LANESCOPE_OP void lanescope_async_wait_all();
LANESCOPE_OP void lanescope_async_wait_oldest();
// Past or through the first cache, as cp.async.cg and cp.async.ca; the other chooses by its width.
LANESCOPE_OP void lanescope_async_copy_cg(void* shared, const void* global, int bytes);
LANESCOPE_OP void lanescope_async_copy_ca(void* shared, const void* global, int bytes);
LANESCOPE_OP void lanescope_trap();  // not noreturn: lanes that do not trap would never meet again behind it

LANESCOPE_DEV void __syncwarp(unsigned mask = 0xffffffffu) { lanescope_syncwarp(mask); }
LANESCOPE_DEV int __syncthreads_count(int p) { return lanescope_barrier_count(p != 0); }
LANESCOPE_DEV int __syncthreads_or(int p) { return lanescope_barrier_count(p != 0) != 0; }
LANESCOPE_DEV int __syncthreads_and(int p) { return lanescope_barrier_count(p == 0) == 0; }
LANESCOPE_DEV void __threadfence() { __nvvm_membar_gl(); }
LANESCOPE_DEV void __threadfence_block() { __nvvm_membar_cta(); }
LANESCOPE_DEV void __threadfence_system() { __nvvm_membar_sys(); }
LANESCOPE_DEV void __trap() { lanescope_trap(); }
LANESCOPE_DEV void __brkpt() { lanescope_trap(); }
#ifndef LANESCOPE_PROGRAM
typedef long clock_t;
#endif
LANESCOPE_DEV long long clock64() { return lanescope_clock(); }
LANESCOPE_DEV int clock() { return (int)lanescope_clock(); }
LANESCOPE_DEV unsigned __activemask() { return lanescope_activemask(); }
LANESCOPE_DEV unsigned __ballot_sync(unsigned mask, int p) { return lanescope_ballot(mask, p != 0); }
LANESCOPE_DEV int __any_sync(unsigned mask, int p) { return lanescope_ballot(mask, p != 0) != 0; }
LANESCOPE_DEV int __all_sync(unsigned mask, int p) { return lanescope_ballot(mask, p == 0) == 0; }

// mode 0 idx, 1 up, 2 down, 3 xor, as the PTX shfl instruction's.
template <class T> __device__ inline __attribute__((always_inline)) T lanescope_shuffle(unsigned mask, T v, int operand, int width, int mode) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 2-, 4- or 8-byte values");
  if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(
        T, (unsigned short)lanescope_shfl(mask, __builtin_bit_cast(unsigned short, v), operand, width, mode));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, lanescope_shfl(mask, __builtin_bit_cast(unsigned, v), operand, width, mode));
  else
    return __builtin_bit_cast(
        T, lanescope_shfl64(mask, __builtin_bit_cast(unsigned long long, v), operand, width, mode));
}
// What is narrower than an int becomes one, as in any expression.
template <class T, bool narrow = (sizeof(T) < 4) && __is_integral(T)> struct lanescope_shuffle_of { typedef T type; };
template <class T> struct lanescope_shuffle_of<T, true> { typedef int type; };
#define LANESCOPE_SHUFFLE(NAME, OPERAND, MODE)                                                                   \
  template <class T> __device__ inline __attribute__((always_inline)) typename lanescope_shuffle_of<T>::type       \
  NAME##_sync(unsigned mask, T v, OPERAND operand, int width = 32) {                                             \
    return lanescope_shuffle<typename lanescope_shuffle_of<T>::type>(mask, v, (int)operand, width, MODE);          \
  }                                                                                                              \
  template <class T> __device__ inline __attribute__((always_inline)) typename lanescope_shuffle_of<T>::type       \
  NAME(T v, OPERAND operand, int width = 32) {                                                                   \
    return NAME##_sync(lanescope_activemask(), v, operand, width);                                               \
  }
// Without a mask they are those of older architectures: of the lanes that are there.
LANESCOPE_SHUFFLE(__shfl, int, 0)
LANESCOPE_SHUFFLE(__shfl_up, unsigned, 1)
LANESCOPE_SHUFFLE(__shfl_down, unsigned, 2)
LANESCOPE_SHUFFLE(__shfl_xor, int, 3)
#undef LANESCOPE_SHUFFLE
LANESCOPE_DEV unsigned __ballot(int p) { return lanescope_ballot(lanescope_activemask(), p != 0); }
LANESCOPE_DEV int __any(int p) { return lanescope_ballot(lanescope_activemask(), p != 0) != 0; }
LANESCOPE_DEV int __all(int p) { return lanescope_ballot(lanescope_activemask(), p == 0) == 0; }

// Loads with a cache hint are plain loads to the model.
#define LANESCOPE_LOAD(NAME)                                                        \
  template <class T> __device__ inline __attribute__((always_inline)) T NAME(const T* p) { return *p; }
LANESCOPE_LOAD(__ldg)
LANESCOPE_LOAD(__ldca)
LANESCOPE_LOAD(__ldcg)
LANESCOPE_LOAD(__ldcs)
LANESCOPE_LOAD(__ldlu)
LANESCOPE_LOAD(__ldcv)
#define LANESCOPE_STORE(NAME)                                                       \
  template <class T> __device__ inline __attribute__((always_inline)) void NAME(T* p, T v) { *p = v; }
LANESCOPE_STORE(__stcg)
LANESCOPE_STORE(__stcs)
LANESCOPE_STORE(__stwb)
LANESCOPE_STORE(__stwt)

#define LANESCOPE_ATOMIC(NAME, T, BUILTIN) \
  LANESCOPE_DEV T NAME(T* p, T v) { return (T)BUILTIN(p, v, __ATOMIC_RELAXED); }
#define LANESCOPE_ATOMICS(T)                        \
  LANESCOPE_ATOMIC(atomicAdd, T, __atomic_fetch_add) \
  LANESCOPE_ATOMIC(atomicSub, T, __atomic_fetch_sub) \
  LANESCOPE_ATOMIC(atomicAnd, T, __atomic_fetch_and) \
  LANESCOPE_ATOMIC(atomicOr, T, __atomic_fetch_or)   \
  LANESCOPE_ATOMIC(atomicXor, T, __atomic_fetch_xor) \
  LANESCOPE_ATOMIC(atomicMin, T, __atomic_fetch_min) \
  LANESCOPE_ATOMIC(atomicMax, T, __atomic_fetch_max) \
  LANESCOPE_ATOMIC(atomicExch, T, __atomic_exchange_n) \
  LANESCOPE_DEV T atomicCAS(T* p, T expected, T v) { \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return expected;                                \
  }
LANESCOPE_ATOMICS(int)
LANESCOPE_ATOMICS(unsigned)
LANESCOPE_ATOMICS(unsigned long long)
LANESCOPE_ATOMIC(atomicMin, long long, __atomic_fetch_min)
LANESCOPE_ATOMIC(atomicMax, long long, __atomic_fetch_max)
LANESCOPE_DEV float atomicAdd(float* p, float v) { return __nvvm_atom_add_gen_f(p, v); }
LANESCOPE_DEV double atomicAdd(double* p, double v) { return __nvvm_atom_add_gen_d(p, v); }
LANESCOPE_DEV float atomicExch(float* p, float v) {
  return __builtin_bit_cast(float, atomicExch((unsigned*)p, __builtin_bit_cast(unsigned, v)));
}
LANESCOPE_DEV unsigned atomicInc(unsigned* p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
LANESCOPE_DEV unsigned atomicDec(unsigned* p, unsigned v) { return __nvvm_atom_dec_gen_ui(p, v); }

// Shared addresses in PTX are offsets in the block's window; generic pointers here are offset + window.
#define LANESCOPE_SHARED_WINDOW 0x700000000000ull
LANESCOPE_DEV size_t __cvta_generic_to_shared(const void* p) { return (size_t)p - LANESCOPE_SHARED_WINDOW; }
LANESCOPE_DEV void* __cvta_shared_to_generic(size_t p) { return (void*)(p + LANESCOPE_SHARED_WINDOW); }
LANESCOPE_DEV size_t __cvta_generic_to_global(const void* p) { return (size_t)p; }
LANESCOPE_DEV void* __cvta_global_to_generic(size_t p) { return (void*)p; }

LANESCOPE_OP void lanescope_assert_fail(const char* text);
#ifndef LANESCOPE_PROGRAM
// printf becomes the compiler's vprintf: a format and a packed argument buffer.
extern "C" __attribute__((host, device)) int printf(const char* format, ...);
// No text to be compiled here is a release build of anything: assertions are on unless it says NDEBUG.
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : lanescope_assert_fail(#e))
#endif
#endif

#include <lanescope_intrinsics.h>
