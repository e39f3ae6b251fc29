/*---
title = "HGEMM, mma.sync"
idea = "Fragments by hand: ldmatrix hands each lane the elements that mma.sync wants of it"
kernel = "hgemm_mma"
look_at = [
  "As: rows lie 2 BK bytes apart: with BK = 64 all eight of a matrix meet the same four banks, with 32 every second one",
  "Bs: rows 2 BN bytes apart, all eight on the same four banks",
  "The other layout of B costs nothing: .trans turns each 8 x 8 matrix on its way",
]

[[parameter]]
name = "BM"
title = "block tile, rows of C"
default = 128
choices = [64, 128]

[[parameter]]
name = "BN"
title = "block tile, columns of C"
default = 128
choices = [64, 128]

[[parameter]]
name = "BK"
title = "block tile, depth"
default = 64
choices = [16, 32, 64]

[[parameter]]
name = "WM"
title = "warp tile, rows of C"
default = 64
choices = [32, 64]

[[parameter]]
name = "WN"
title = "warp tile, columns of C"
default = 32
choices = [32, 64]

[[parameter]]
name = "PAD"
title = "padding (halves a row)"
default = 0
choices = [0, 8, 16, 24]

[[argument]]
name = "M"
title = "rows of A and C"
value = 256
min = 1
max = 8192

[[argument]]
name = "N"
title = "columns of B and C"
value = 256
min = 1
max = 8192

[[argument]]
name = "K"
title = "columns of A, rows of B"
value = 128
min = 1
max = 8192

[[argument]]
name = "A"
type = "half"
shape = ["M", "K"]
fill = "random"

[[argument]]
name = "B"
type = "half"
shape = ["K", "N"]
fill = "random"

[[argument]]
name = "C"
type = "half"
shape = ["M", "N"]
fill = "poison"

[launch]
block = ["(BM / WM) * (BN / WN) * 32"]
grid = ["ceil_div(N, BN)", "ceil_div(M, BM)"]

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#include <cuda_fp16.h>

#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 128
#endif
#ifndef BK
#define BK 64
#endif
#ifndef WM
#define WM 64
#endif
#ifndef WN
#define WN 32
#endif
#ifndef PAD
#define PAD 0
#endif

constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int MT = WM / 16, NT = WN / 8;  // mma tiles of a warp

// Eight halves of a row of `from`, 16 bytes at a time; what lies outside the matrix is zero.
__device__ uint4 load8(const half* from, int row, int column, int rows, int pitch) {
  uint4 out = make_uint4(0, 0, 0, 0);
  if (row >= rows || column >= pitch) return out;
  from += row * pitch + column;
  if (pitch % 8 == 0) return *(const uint4*)from;
  // Rows that do not begin at 16 bytes
  half* each = (half*)&out;
  for (int i = 0; i < 8 && column + i < pitch; ++i) each[i] = from[i];
  return out;
}

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

// Four 8 x 8 matrices; lanes 8m to 8m + 7 give the addresses of matrix m's rows.
__device__ void load_matrices(unsigned (&to)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}
__device__ void load_turned(unsigned (&to)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}

// d += a * b, 16 x 8 x 16
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A thread's part of the warp's tile at (iy, ix): two neighbours in each of two rows, eight apart.
__device__ void store_tile(half* C, int iy, int ix, int M, int N, const float (&d)[4]) {
  for (int h = 0; h < 2; ++h) {
    int y = iy + 8 * h;
    if (y >= M || ix >= N) continue;
    half* to = &C[y * N + ix];
    if (N % 2 == 0) {
      *(half2*)to = __floats2half2_rn(d[2 * h], d[2 * h + 1]);
    } else {
      to[0] = __float2half_rn(d[2 * h]);
      if (ix + 1 < N) to[1] = __float2half_rn(d[2 * h + 1]);
    }
  }
}

__global__ void __launch_bounds__(THREADS)
    hgemm_mma(int M, int N, int K, const half* A, const half* B, half* C) {
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles must fill the block tile");
  __shared__ __align__(16) half As[BM][BK + PAD];
  __shared__ __align__(16) half Bs[BK][BN + PAD];

  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;
  float sum[MT][NT][4] = {};

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int e = threadIdx.x; e < BM * BK / 8; e += THREADS) {
      int r = e / (BK / 8), c = e % (BK / 8);
      *(uint4*)&As[r][8 * c] = load8(A, blockIdx.y * BM + r, k0 + 8 * c, M, K);
    }
    for (int e = threadIdx.x; e < BK * BN / 8; e += THREADS) {
      int r = e / (BN / 8), c = e % (BN / 8);
      *(uint4*)&Bs[r][8 * c] = load8(B, k0 + r, blockIdx.x * BN + 8 * c, K, N);
    }
    __syncthreads();  // both tiles are written

#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      unsigned a[MT][4], b[NT / 2][4];
#pragma unroll
      for (int i = 0; i < MT; ++i)
        load_matrices(a[i], &As[warp_row + 16 * i + lane % 16][k + lane / 16 * 8]);
#pragma unroll
      for (int j = 0; j < NT / 2; ++j)
        load_turned(b[j], &Bs[k + lane % 16][warp_column + 16 * j + lane / 16 * 8]);
#pragma unroll
      for (int i = 0; i < MT; ++i)
#pragma unroll
        for (int j = 0; j < NT; ++j) multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
    __syncthreads();  // both tiles are used up
  }

#pragma unroll
  for (int i = 0; i < MT; ++i)
#pragma unroll
    for (int j = 0; j < NT; ++j)
      store_tile(C, blockIdx.y * BM + warp_row + 16 * i + lane / 4,
                 blockIdx.x * BN + warp_column + 8 * j + lane % 4 * 2, M, N, sum[i][j]);
}
