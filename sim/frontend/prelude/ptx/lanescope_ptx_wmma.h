// wmma of PTX, made of the fragments of <mma.h>: a fragment's elements in registers, in their order. Part of
// lanescope_ptx.h.
#pragma once
#include <lanescope_wmma.h>

typedef unsigned lanescope_registers1;
typedef unsigned lanescope_registers2 __attribute__((ext_vector_type(2)));
typedef double lanescope_doubles1;
typedef double lanescope_doubles2 __attribute__((ext_vector_type(2)));

template <class _Tp> struct lanescope_ptx_kind {
  typedef _Tp value;
  static constexpr int count = 1;
};
template <class _Tp, int _N> struct lanescope_ptx_kind<_Tp __attribute__((ext_vector_type(_N)))> {
  typedef _Tp value;
  static constexpr int count = _N;
};

// Of the register `r` of a fragment's elements, and back.
template <class _V, class _Tp> LANESCOPE_DEV _V lanescope_ptx_packed(const _Tp* x) {
  if constexpr (sizeof(_V) == 8)
    return x[0];
  else
    return nvcuda::wmma::lanescope_register(x);
}
template <class _V, class _Tp> LANESCOPE_DEV void lanescope_ptx_elements(_Tp* x, _V r) {
  if constexpr (sizeof(_V) == 8)
    x[0] = r;
  else
    nvcuda::wmma::lanescope_from_register(x, r);
}

template <class _Registers, class _Fragment> LANESCOPE_DEV _Registers lanescope_ptx_held(const _Fragment& f) {
  typedef typename lanescope_ptx_kind<_Registers>::value value;
  constexpr int parts = sizeof(value) / sizeof(f.x[0]);
  if constexpr (lanescope_ptx_kind<_Registers>::count == 1) {
    return lanescope_ptx_packed<value>(f.x);
  } else {
    _Registers out;
    nvcuda::wmma::lanescope_each<lanescope_ptx_kind<_Registers>::count>(
        [&](auto i) { out[i.value] = lanescope_ptx_packed<value>(f.x + i.value * parts); });
    return out;
  }
}
template <class _Fragment, class _Registers> LANESCOPE_DEV _Fragment lanescope_ptx_fragment(_Registers r) {
  typedef typename lanescope_ptx_kind<_Registers>::value value;
  _Fragment f;
  constexpr int parts = sizeof(value) / sizeof(f.x[0]), own = _Fragment::num_elements / parts;
  nvcuda::wmma::lanescope_each<own>([&](auto i) {
    if constexpr (lanescope_ptx_kind<_Registers>::count == 1)
      lanescope_ptx_elements<value>(f.x, r);
    else
      lanescope_ptx_elements<value>(f.x + i.value * parts, r[i.value]);
  });
  return f;
}

namespace lanescope_ptx_wmma {
using namespace nvcuda::wmma;
typedef __half f16;
typedef __nv_bfloat16 bf16;
typedef precision::tf32 tf32;
typedef float f32;
typedef double f64;
typedef signed char s8;
typedef unsigned char u8;
typedef int s32;

template <class _Use, class _Registers, int _M, int _N, int _K, class _Tp>
LANESCOPE_DEV _Registers load(const void* from, unsigned pitch, bool by_rows) {
  typedef const typename lanescope_element<_Tp>::stored* pointer;
  if constexpr (__is_same(_Use, accumulator)) {
    fragment<_Use, _M, _N, _K, _Tp> f;
    if (by_rows)
      load_matrix_sync(f, (pointer)from, pitch, mem_row_major);
    else
      load_matrix_sync(f, (pointer)from, pitch, mem_col_major);
    return lanescope_ptx_held<_Registers>(f);
  } else if (by_rows) {
    fragment<_Use, _M, _N, _K, _Tp, row_major> f;
    load_matrix_sync(f, (pointer)from, pitch);
    return lanescope_ptx_held<_Registers>(f);
  } else {
    fragment<_Use, _M, _N, _K, _Tp, col_major> f;
    load_matrix_sync(f, (pointer)from, pitch);
    return lanescope_ptx_held<_Registers>(f);
  }
}
template <int _M, int _N, int _K, class _Tp, class _Registers>
LANESCOPE_DEV void store(void* to, unsigned pitch, bool by_rows, _Registers r) {
  const auto f = lanescope_ptx_fragment<fragment<accumulator, _M, _N, _K, _Tp>>(r);
  if (by_rows)
    store_matrix_sync((_Tp*)to, f, pitch, mem_row_major);
  else
    store_matrix_sync((_Tp*)to, f, pitch, mem_col_major);
}
// Where C and D differ, one of them is of halves: the sums are those of floats, made halves after.
template <int _M, int _N, int _K, class _D, class _A, class _B, class _C, class _Result, class _Ra, class _Rb, class _Rc>
LANESCOPE_DEV _Result multiply(_Ra a, _Rb b, _Rc c, bool saturates) {
  const auto fa = lanescope_ptx_fragment<fragment<matrix_a, _M, _N, _K, _A, row_major>>(a);
  const auto fb = lanescope_ptx_fragment<fragment<matrix_b, _M, _N, _K, _B, row_major>>(b);
  const auto given = lanescope_ptx_fragment<fragment<accumulator, _M, _N, _K, _C>>(c);
  if constexpr (__is_same(_C, _D)) {
    fragment<accumulator, _M, _N, _K, _D> sums;
    mma_sync(sums, fa, fb, given, saturates);
    return lanescope_ptx_held<_Result>(sums);
  } else {
    fragment<accumulator, _M, _N, _K, float> wide, sums;
    fragment<accumulator, _M, _N, _K, _D> f;
    lanescope_each<decltype(f)::num_elements>([&](auto e) { wide.x[e.value] = (float)given.x[e.value]; });
    mma_sync(sums, fa, fb, wide, saturates);
    lanescope_each<decltype(f)::num_elements>([&](auto e) { f.x[e.value] = (_D)sums.x[e.value]; });
    return lanescope_ptx_held<_Result>(f);
  }
}
}  // namespace lanescope_ptx_wmma

// Functions of loads and stores are named after the bits of an element, those of products after D's, A's and C's type.
// REGISTERS are those that a fragment fills.
#define LANESCOPE_PTX_WMMA_LOAD(WHICH, USE, M, N, K, NAME, TYPE, REGISTERS)                                             \
  LANESCOPE_PTX_DOES lanescope_##REGISTERS ptx_wmma_load_##WHICH##_m##M##n##N##k##K##_##NAME(                           \
      const void* from, unsigned pitch, bool by_rows) {                                                                \
    using namespace lanescope_ptx_wmma;                                                                                \
    return load<USE, lanescope_##REGISTERS, M, N, K, TYPE>(from, pitch, by_rows);                                      \
  }
#define LANESCOPE_PTX_WMMA_SUMS(M, N, K, NAME, TYPE, REGISTERS)                                                         \
  LANESCOPE_PTX_WMMA_LOAD(c, accumulator, M, N, K, NAME, TYPE, REGISTERS)                                              \
  LANESCOPE_PTX_DOES void ptx_wmma_store_d_m##M##n##N##k##K##_##NAME(void* to, unsigned pitch, bool by_rows,            \
                                                                     lanescope_##REGISTERS r) {                        \
    using namespace lanescope_ptx_wmma;                                                                                \
    store<M, N, K, TYPE>(to, pitch, by_rows, r);                                                                       \
  }
#define LANESCOPE_PTX_WMMA_FACTORS(M, N, K, NAME, TYPE, OF_A, OF_B)        \
  LANESCOPE_PTX_WMMA_LOAD(a, matrix_a, M, N, K, NAME, TYPE, OF_A)          \
  LANESCOPE_PTX_WMMA_LOAD(b, matrix_b, M, N, K, NAME, TYPE, OF_B)
#define LANESCOPE_PTX_WMMA_MMA(M, N, K, D, A, C, OF_D, OF_A, OF_B, OF_C)                                                \
  LANESCOPE_PTX_DOES lanescope_##OF_D ptx_wmma_mma_m##M##n##N##k##K##_##D##_##A##_##C(                                  \
      lanescope_##OF_A a, lanescope_##OF_B b, lanescope_##OF_C c, bool saturates) {                                    \
    using namespace lanescope_ptx_wmma;                                                                                \
    return multiply<M, N, K, D, A, A, C, lanescope_##OF_D>(a, b, c, saturates);                                        \
  }

#define LANESCOPE_PTX_WMMA_SHAPE(M, N, K, A_16, B_16, A_8, B_8)                        \
  LANESCOPE_PTX_WMMA_SUMS(M, N, K, 16, f16, registers4)                                \
  LANESCOPE_PTX_WMMA_SUMS(M, N, K, 32, f32, registers8)                                \
  LANESCOPE_PTX_WMMA_FACTORS(M, N, K, 16, f16, A_16, B_16)                             \
  LANESCOPE_PTX_WMMA_FACTORS(M, N, K, 8, u8, A_8, B_8)                                 \
  LANESCOPE_PTX_WMMA_MMA(M, N, K, f16, f16, f16, registers4, A_16, B_16, registers4)   \
  LANESCOPE_PTX_WMMA_MMA(M, N, K, f32, f16, f32, registers8, A_16, B_16, registers8)   \
  LANESCOPE_PTX_WMMA_MMA(M, N, K, f32, f16, f16, registers8, A_16, B_16, registers4)   \
  LANESCOPE_PTX_WMMA_MMA(M, N, K, f16, f16, f32, registers4, A_16, B_16, registers8)   \
  LANESCOPE_PTX_WMMA_MMA(M, N, K, f32, bf16, f32, registers8, A_16, B_16, registers8)  \
  LANESCOPE_PTX_WMMA_MMA(M, N, K, s32, s8, s32, registers8, A_8, B_8, registers8)      \
  LANESCOPE_PTX_WMMA_MMA(M, N, K, s32, u8, s32, registers8, A_8, B_8, registers8)
LANESCOPE_PTX_WMMA_SHAPE(16, 16, 16, registers4, registers4, registers2, registers2)
LANESCOPE_PTX_WMMA_SHAPE(32, 8, 16, registers8, registers2, registers4, registers1)
LANESCOPE_PTX_WMMA_SHAPE(8, 32, 16, registers2, registers8, registers1, registers4)
LANESCOPE_PTX_WMMA_SUMS(16, 16, 8, 32, f32, registers8)
LANESCOPE_PTX_WMMA_FACTORS(16, 16, 8, 32, tf32, registers4, registers4)
LANESCOPE_PTX_WMMA_MMA(16, 16, 8, f32, tf32, f32, registers8, registers4, registers4, registers8)
LANESCOPE_PTX_WMMA_SUMS(8, 8, 4, 64, f64, doubles2)
LANESCOPE_PTX_WMMA_FACTORS(8, 8, 4, 64, f64, doubles1, doubles1)
LANESCOPE_PTX_WMMA_MMA(8, 8, 4, f64, f64, f64, doubles2, doubles1, doubles1, doubles2)
