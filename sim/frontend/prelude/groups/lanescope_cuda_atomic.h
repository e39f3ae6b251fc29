// cuda::atomic and cuda::atomic_ref, and those of cuda::std. One grid runs at a time, one lane after the
// other: every scope is as strong as the strongest. So is every order, except to the checks: what is relaxed
// orders nothing around it, and what is atomic for a block alone (lanescope_atomic_in_block, which they know by
// its name) is nothing to another.
#pragma once

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };

namespace std {
enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};
}  // namespace std
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

#define LANESCOPE_ATOMIC_FN __attribute__((host, device, always_inline)) inline
template <class _Tp> LANESCOPE_ATOMIC_FN _Tp lanescope_load(const _Tp* p, memory_order order = memory_order_seq_cst) {
  _Tp v;
  if (order == memory_order_relaxed) __atomic_load((_Tp*)p, &v, __ATOMIC_RELAXED);
  else __atomic_load((_Tp*)p, &v, __ATOMIC_SEQ_CST);
  return v;
}
template <class _Tp> LANESCOPE_ATOMIC_FN void lanescope_store(_Tp* p, _Tp v, memory_order order) {
  if (order == memory_order_relaxed) __atomic_store(p, &v, __ATOMIC_RELAXED);
  else __atomic_store(p, &v, __ATOMIC_SEQ_CST);
}
template <class _Tp> LANESCOPE_ATOMIC_FN _Tp lanescope_exchange(_Tp* p, _Tp v, memory_order order) {
  _Tp old;
  if (order == memory_order_relaxed) __atomic_exchange(p, &v, &old, __ATOMIC_RELAXED);
  else __atomic_exchange(p, &v, &old, __ATOMIC_SEQ_CST);
  return old;
}
template <class _Tp> LANESCOPE_ATOMIC_FN bool lanescope_compare_exchange(_Tp* p, _Tp& expected, _Tp v, memory_order order = memory_order_seq_cst) {
  if (order == memory_order_relaxed) return __atomic_compare_exchange(p, &expected, &v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return __atomic_compare_exchange(p, &expected, &v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
template <class _Tp> LANESCOPE_ATOMIC_FN _Tp lanescope_fetch_add(_Tp* p, _Tp v, memory_order order) {
  if constexpr (__is_floating_point(_Tp)) {
#ifdef LANESCOPE_HOST_PASS
    _Tp old = lanescope_load(p);
    while (!lanescope_compare_exchange(p, old, old + v)) {}
    return old;
#else
    return ::atomicAdd(p, v);
#endif
  } else {
    if (order == memory_order_relaxed) return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
  }
}
template <class _Do> LANESCOPE_ATOMIC_FN auto lanescope_atomic_in_block(_Do f) { return f(); }

// What an atomic object and a reference to one have alike. Place gives the address, and says whose it is.
template <class _Tp, class _Place> struct lanescope_atomic_operations {
  using value_type = _Tp;
  LANESCOPE_ATOMIC_FN _Tp load(memory_order order = memory_order_seq_cst) const { return scoped([&] { return lanescope_load(place(), order); }); }
  // A volatile object is another's to change: it is read in the same way.
  LANESCOPE_ATOMIC_FN _Tp load(memory_order order = memory_order_seq_cst) const volatile {
    return const_cast<const lanescope_atomic_operations*>(this)->load(order);
  }
  LANESCOPE_ATOMIC_FN void store(_Tp v, memory_order order = memory_order_seq_cst) volatile {
    const_cast<lanescope_atomic_operations*>(this)->store(v, order);
  }
  LANESCOPE_ATOMIC_FN void store(_Tp v, memory_order order = memory_order_seq_cst) { scoped([&] { lanescope_store(place(), v, order); }); }
  LANESCOPE_ATOMIC_FN _Tp exchange(_Tp v, memory_order order = memory_order_seq_cst) { return scoped([&] { return lanescope_exchange(place(), v, order); }); }
  LANESCOPE_ATOMIC_FN bool compare_exchange_strong(_Tp& expected, _Tp v, memory_order order = memory_order_seq_cst, memory_order = memory_order_seq_cst) {
    return scoped([&] { return lanescope_compare_exchange(place(), expected, v, order); });
  }
  LANESCOPE_ATOMIC_FN bool compare_exchange_weak(_Tp& expected, _Tp v, memory_order order = memory_order_seq_cst, memory_order = memory_order_seq_cst) {
    return scoped([&] { return lanescope_compare_exchange(place(), expected, v, order); });
  }
  LANESCOPE_ATOMIC_FN _Tp fetch_add(_Tp v, memory_order order = memory_order_seq_cst) { return scoped([&] { return lanescope_fetch_add(place(), v, order); }); }
  LANESCOPE_ATOMIC_FN _Tp fetch_sub(_Tp v, memory_order order = memory_order_seq_cst) { return scoped([&] { return lanescope_fetch_add(place(), (_Tp)-v, order); }); }
#define LANESCOPE_FETCH(NAME) \
  LANESCOPE_ATOMIC_FN _Tp NAME(_Tp v, memory_order order = memory_order_seq_cst) { \
    return scoped([&] { \
      return order == memory_order_relaxed ? __atomic_##NAME(place(), v, __ATOMIC_RELAXED) : __atomic_##NAME(place(), v, __ATOMIC_SEQ_CST); \
    }); \
  }
  LANESCOPE_FETCH(fetch_and)
  LANESCOPE_FETCH(fetch_or)
  LANESCOPE_FETCH(fetch_xor)
  LANESCOPE_FETCH(fetch_min)
  LANESCOPE_FETCH(fetch_max)
#undef LANESCOPE_FETCH
  LANESCOPE_ATOMIC_FN operator _Tp() const { return load(); }
  LANESCOPE_ATOMIC_FN _Tp operator=(_Tp v) { return store(v), v; }
  LANESCOPE_ATOMIC_FN _Tp operator++() { return fetch_add((_Tp)1) + (_Tp)1; }
  LANESCOPE_ATOMIC_FN _Tp operator++(int) { return fetch_add((_Tp)1); }
  LANESCOPE_ATOMIC_FN _Tp operator--() { return fetch_sub((_Tp)1) - (_Tp)1; }
  LANESCOPE_ATOMIC_FN _Tp operator--(int) { return fetch_sub((_Tp)1); }
  LANESCOPE_ATOMIC_FN _Tp operator+=(_Tp v) { return fetch_add(v) + v; }
  LANESCOPE_ATOMIC_FN _Tp operator-=(_Tp v) { return fetch_sub(v) - v; }
  LANESCOPE_ATOMIC_FN bool is_lock_free() const { return true; }

 private:
  LANESCOPE_ATOMIC_FN _Tp* place() const { return static_cast<const _Place*>(this)->lanescope_place(); }
  template <class _Do> static LANESCOPE_ATOMIC_FN auto scoped(_Do f) {
    if constexpr (_Place::lanescope_scope == thread_scope_block || _Place::lanescope_scope == thread_scope_thread) return lanescope_atomic_in_block(f);
    else return f();
  }
};

template <class _Tp, thread_scope _Scope = thread_scope_system>
struct atomic : lanescope_atomic_operations<_Tp, atomic<_Tp, _Scope>> {
  static constexpr thread_scope lanescope_scope = _Scope;
  atomic() = default;
  constexpr __attribute__((host, device)) atomic(_Tp v) : value_(v) {}
  using lanescope_atomic_operations<_Tp, atomic>::operator=;
  LANESCOPE_ATOMIC_FN _Tp* lanescope_place() const { return const_cast<_Tp*>(&value_); }

 private:
  alignas(sizeof(_Tp)) _Tp value_;
};
template <class _Tp, thread_scope _Scope = thread_scope_system>
struct atomic_ref : lanescope_atomic_operations<_Tp, atomic_ref<_Tp, _Scope>> {
  static constexpr thread_scope lanescope_scope = _Scope;
  explicit __attribute__((host, device)) atomic_ref(_Tp& v) : place_(&v) {}
  using lanescope_atomic_operations<_Tp, atomic_ref>::operator=;
  LANESCOPE_ATOMIC_FN _Tp* lanescope_place() const { return place_; }

 private:
  _Tp* place_;
};
LANESCOPE_ATOMIC_FN void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
#ifndef LANESCOPE_HOST_PASS
  if (order == memory_order_relaxed || scope == thread_scope_thread) return;
  if (scope == thread_scope_block) ::__threadfence_block();
  else ::__threadfence();
#endif
}
namespace std {
template <class _Tp> using atomic = ::cuda::atomic<_Tp, thread_scope_system>;
template <class _Tp> using atomic_ref = ::cuda::atomic_ref<_Tp, thread_scope_system>;
typedef atomic<int> atomic_int;
typedef atomic<unsigned> atomic_uint;
LANESCOPE_ATOMIC_FN void atomic_thread_fence(memory_order order) { ::cuda::atomic_thread_fence(order); }
}  // namespace std

}  // namespace cuda
