// Atomics beyond the common ones: 64-bit signed, 16 bits, vectors of floats, and the scopes.
#pragma once

LANESCOPE_ATOMIC(atomicAnd, long long, __atomic_fetch_and)
LANESCOPE_ATOMIC(atomicOr, long long, __atomic_fetch_or)
LANESCOPE_ATOMIC(atomicXor, long long, __atomic_fetch_xor)
LANESCOPE_DEV unsigned short atomicCAS(unsigned short* p, unsigned short expected, unsigned short v) {
  __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
// Each component by itself, as the GPU's.
LANESCOPE_DEV float2 atomicAdd(float2* p, float2 v) { return float2{atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
LANESCOPE_DEV float4 atomicAdd(float4* p, float4 v) {
  return float4{atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z), atomicAdd(&p->w, v.w)};
}

// One grid at a time: every scope sees what the device's does.
#define LANESCOPE_SCOPED(NAME)                                                                        \
  template <class _Tp, class _Up> LANESCOPE_DEV _Tp NAME##_block(_Tp* p, _Up v) { return NAME(p, (_Tp)v); } \
  template <class _Tp, class _Up> LANESCOPE_DEV _Tp NAME##_system(_Tp* p, _Up v) { return NAME(p, (_Tp)v); }
LANESCOPE_SCOPED(atomicAdd)
LANESCOPE_SCOPED(atomicSub)
LANESCOPE_SCOPED(atomicAnd)
LANESCOPE_SCOPED(atomicOr)
LANESCOPE_SCOPED(atomicXor)
LANESCOPE_SCOPED(atomicMin)
LANESCOPE_SCOPED(atomicMax)
LANESCOPE_SCOPED(atomicExch)
LANESCOPE_SCOPED(atomicInc)
LANESCOPE_SCOPED(atomicDec)
template <class _Tp, class _Up, class _Vp> LANESCOPE_DEV _Tp atomicCAS_block(_Tp* p, _Up expected, _Vp v) {
  return atomicCAS(p, (_Tp)expected, (_Tp)v);
}
template <class _Tp, class _Up, class _Vp> LANESCOPE_DEV _Tp atomicCAS_system(_Tp* p, _Up expected, _Vp v) {
  return atomicCAS(p, (_Tp)expected, (_Tp)v);
}
