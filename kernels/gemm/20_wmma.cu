/*---
title = "HGEMM, wmma"
idea = "Tensor cores through nvcuda::wmma: a fragment is a warp's, and nobody says which lane holds what"
kernel = "hgemm_wmma"
look_at = [
  "A load of a fragment of A or B is one ldmatrix of four 8 x 8 matrices",
  "PAD = 8 halves moves each row on by four banks: eight rows of a matrix meet eight groups of banks",
  "What a warp has in its accumulators goes out by way of shared memory, because only there the elements have places",
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
default = 8
choices = [0, 8, 16]

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
#define PAD 8
#endif

#include <mma.h>

using namespace nvcuda;

constexpr int THREADS = (BM / WM) * (BN / WN) * 32;

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

__global__ void __launch_bounds__(THREADS)
    hgemm_wmma(int M, int N, int K, const half* A, const half* B, half* C) {
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles must fill the block tile");
  __shared__ __align__(32) half As[BM][BK + PAD];
  __shared__ __align__(32) half Bs[BK][BN + PAD];
  __shared__ __align__(32) float patch[THREADS / 32][16][16];

  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[WM / 16][WN / 16];
#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int j = 0; j < WN / 16; ++j) wmma::fill_fragment(sum[i][j], 0.0f);

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int e = threadIdx.x; e < BM * BK / 8; e += THREADS) {
      int r = e / (BK / 8), k = e % (BK / 8) * 8;
      *(uint4*)&As[r][k] = load8(A, blockIdx.y * BM + r, k0 + k, M, K);
    }
    for (int e = threadIdx.x; e < BK * BN / 8; e += THREADS) {
      int k = e / (BN / 8), c = e % (BN / 8) * 8;
      *(uint4*)&Bs[k][c] = load8(B, k0 + k, blockIdx.x * BN + c, K, N);
    }
    __syncthreads();  // both tiles are written

#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[WM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[WN / 16];
#pragma unroll
      for (int i = 0; i < WM / 16; ++i) wmma::load_matrix_sync(a[i], &As[warp_row + 16 * i][k], BK + PAD);
#pragma unroll
      for (int j = 0; j < WN / 16; ++j) wmma::load_matrix_sync(b[j], &Bs[k][warp_column + 16 * j], BN + PAD);
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < WN / 16; ++j) wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
    }
    __syncthreads();  // both tiles are used up
  }

#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int j = 0; j < WN / 16; ++j) {
      wmma::store_matrix_sync(&patch[warp][0][0], sum[i][j], 16, wmma::mem_row_major);
      __syncwarp();
      for (int e = lane; e < 256; e += 32) {
        int iy = blockIdx.y * BM + warp_row + 16 * i + e / 16, ix = blockIdx.x * BN + warp_column + 16 * j + e % 16;
        if (iy < M && ix < N) C[iy * N + ix] = __float2half_rn(patch[warp][e / 16][e % 16]);
      }
      __syncwarp();
    }
}
