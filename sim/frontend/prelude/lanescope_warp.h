// Matches and reductions within a warp; what kind of memory a pointer leads to.
#pragma once

LANESCOPE_OP unsigned lanescope_reduce(unsigned mask, unsigned value, int kind);
LANESCOPE_OP void lanescope_grid_sync();

// Values match when their bits do: 0.0f and -0.0f differ.
template <class _Tp> LANESCOPE_DEV unsigned long long lanescope_bits_of(_Tp v) {
  static_assert(sizeof(_Tp) == 4 || sizeof(_Tp) == 8, "matches compare 4- or 8-byte values");
  if constexpr (sizeof(_Tp) == 4) return __builtin_bit_cast(unsigned, v);
  else return __builtin_bit_cast(unsigned long long, v);
}
template <class _Tp> LANESCOPE_DEV unsigned __match_any_sync(unsigned mask, _Tp v) {
  return lanescope_match_any(mask, lanescope_bits_of(v));
}
template <class _Tp> LANESCOPE_DEV unsigned __match_all_sync(unsigned mask, _Tp v, int* pred) {
  *pred = lanescope_ballot(mask, true) == lanescope_match_any(mask, lanescope_bits_of(v));
  return *pred ? mask : 0;
}

// The kinds are those of `enum class Reduction` in lower/flat.h.
LANESCOPE_DEV unsigned __reduce_add_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 0); }
LANESCOPE_DEV unsigned __reduce_min_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 1); }
LANESCOPE_DEV unsigned __reduce_max_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 2); }
LANESCOPE_DEV int __reduce_add_sync(unsigned mask, int v) { return (int)lanescope_reduce(mask, (unsigned)v, 0); }
LANESCOPE_DEV int __reduce_min_sync(unsigned mask, int v) { return (int)lanescope_reduce(mask, (unsigned)v, 3); }
LANESCOPE_DEV int __reduce_max_sync(unsigned mask, int v) { return (int)lanescope_reduce(mask, (unsigned)v, 4); }
LANESCOPE_DEV unsigned __reduce_and_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 5); }
LANESCOPE_DEV unsigned __reduce_or_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 6); }
LANESCOPE_DEV unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 7); }

// Time is not simulated: whoever polls finds things as they are.
LANESCOPE_DEV void __nanosleep(unsigned) {}
LANESCOPE_DEV void __assertfail(const char* message, const char*, unsigned, const char*, size_t) {
  lanescope_assert_fail(message);
}

// The windows of lanescope/memory.h. Which variables of the module are constant, or arguments, is not to be seen
// in an address: of those there is only the name, and a kernel that calls it is refused.
extern "C" __attribute__((device)) unsigned __isConstant(const void* p);
extern "C" __attribute__((device)) unsigned __isGridConstant(const void* p);
LANESCOPE_DEV bool lanescope_inside(const void* p, unsigned long long window) {
  return (unsigned long long)p - window < 0x100000000ull;
}
LANESCOPE_DEV unsigned __isShared(const void* p) { return lanescope_inside(p, LANESCOPE_SHARED_WINDOW); }
LANESCOPE_DEV unsigned __isLocal(const void* p) { return lanescope_inside(p, 0x710000000000ull); }
LANESCOPE_DEV unsigned __isGlobal(const void* p) { return !__isShared(p) && !__isLocal(p); }
// A cluster has one block.
LANESCOPE_DEV unsigned __isClusterShared(const void* p) { return __isShared(p); }
// A kernel begins when those before it in its stream have ended.
LANESCOPE_DEV void cudaGridDependencySynchronize() {}
LANESCOPE_DEV void cudaTriggerProgrammaticLaunchCompletion() {}
