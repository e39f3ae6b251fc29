// threadIdx and its relatives: they read the special registers, member by member.
#pragma once

#define LANESCOPE_SREG(STRUCT, REG)                                                      \
  struct STRUCT {                                                                        \
    __declspec(property(get = get_x)) unsigned x;                                        \
    __declspec(property(get = get_y)) unsigned y;                                        \
    __declspec(property(get = get_z)) unsigned z;                                        \
    static inline __attribute__((device, always_inline)) unsigned get_x() {              \
      return __nvvm_read_ptx_sreg_##REG##_x();                                           \
    }                                                                                    \
    static inline __attribute__((device, always_inline)) unsigned get_y() {              \
      return __nvvm_read_ptx_sreg_##REG##_y();                                           \
    }                                                                                    \
    static inline __attribute__((device, always_inline)) unsigned get_z() {              \
      return __nvvm_read_ptx_sreg_##REG##_z();                                           \
    }                                                                                    \
    __device__ operator uint3() const { return uint3{get_x(), get_y(), get_z()}; }       \
    __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }         \
  };
LANESCOPE_SREG(lanescope_thread_idx, tid)
LANESCOPE_SREG(lanescope_block_idx, ctaid)
LANESCOPE_SREG(lanescope_block_dim, ntid)
LANESCOPE_SREG(lanescope_grid_dim, nctaid)
extern const __device__ __attribute__((weak)) lanescope_thread_idx threadIdx;
extern const __device__ __attribute__((weak)) lanescope_block_idx blockIdx;
extern const __device__ __attribute__((weak)) lanescope_block_dim blockDim;
extern const __device__ __attribute__((weak)) lanescope_grid_dim gridDim;
static constexpr int warpSize = 32;
