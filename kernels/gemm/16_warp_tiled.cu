/*---
title = "SGEMM, warp tiles"
idea = "Which lane takes which part of its warp's tile decides how many wavefronts its loads take"
source = "Boehm: How to Optimize a CUDA Matmul Kernel (2022), kernel 10; the order of lanes is ours"
kernel = "gemm_warp_tiled"
look_at = [
  "Bits 1 and 4 of a lane choose its rows, bits 0, 2 and 3 its columns",
  "lane ^ 1 reads the same words of As, lane ^ 2 the same words of Bs: 16-byte loads merge, two wavefronts instead of four",
  "A thread's columns lie 32 apart, its rows 16: neighbours in the warp stay neighbours in memory",
]

[[parameter]]
name = "BM"
title = "block tile, rows of C"
default = 128
choices = [64, 128, 256]

[[parameter]]
name = "BN"
title = "block tile, columns of C"
default = 128
choices = [64, 128, 256]

[[parameter]]
name = "BK"
title = "block tile, depth"
default = 16
choices = [8, 16]

[[parameter]]
name = "WM"
title = "warp tile, rows of C"
default = 64
choices = [32, 64]

[[parameter]]
name = "WN"
title = "warp tile, columns of C"
default = 64
choices = [32, 64]

[[parameter]]
name = "PAD"
title = "padding (elements a row of As)"
default = 4
choices = [0, 4, 8]

[[argument]]
name = "M"
title = "rows of A and C"
value = 512
min = 1
max = 8192

[[argument]]
name = "N"
title = "columns of B and C"
value = 512
min = 1
max = 8192

[[argument]]
name = "K"
title = "columns of A, rows of B"
value = 256
min = 1
max = 8192

[[argument]]
name = "A"
type = "float"
shape = ["M", "K"]
fill = "random"

[[argument]]
name = "B"
type = "float"
shape = ["K", "N"]
fill = "random"

[[argument]]
name = "C"
type = "float"
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
#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 128
#endif
#ifndef BK
#define BK 16
#endif
#ifndef WM
#define WM 64
#endif
#ifndef WN
#define WN 64
#endif
#ifndef PAD
#define PAD 4
#endif

constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int TM = WM / 4, TN = WN / 8;  // a thread's part of the warp tile

// Four neighbours of one row, from `column` on; what lies outside the matrix is zero.
__device__ float4 load4(const float* from, int row, int column, int rows, int pitch) {
  if (row >= rows || column >= pitch) return make_float4(0, 0, 0, 0);
  from += row * pitch + column;
  if (pitch % 4 == 0) return *(const float4*)from;
  // Rows that do not begin at 16 bytes
  int inside = pitch - column;
  return make_float4(from[0], inside > 1 ? from[1] : 0, inside > 2 ? from[2] : 0, inside > 3 ? from[3] : 0);
}

__device__ void store4(float* to, int row, int column, int rows, int pitch, const float* values) {
  if (row >= rows || column >= pitch) return;
  to += row * pitch + column;
  if (pitch % 4 == 0) {
    *(float4*)to = make_float4(values[0], values[1], values[2], values[3]);
    return;
  }
  for (int i = 0; i < 4; ++i)
    if (column + i < pitch) to[i] = values[i];
}

__global__ void __launch_bounds__(THREADS)
    gemm_warp_tiled(int M, int N, int K, const float* A, const float* B, float* C) {
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles must fill the block tile");
  __shared__ __align__(16) float As[BK][BM + PAD];
  __shared__ __align__(16) float Bs[BK][BN];

  // 4 by 8 lanes: which lanes share words decides which loads merge.
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = warp / (BN / WN) * WM + (lane / 16 * 2 + lane / 2 % 2) * 4;
  int column = warp % (BN / WN) * WN + (lane / 4 % 4 * 2 + lane % 2) * 4;
  float sum[TM][TN] = {};

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int e = threadIdx.x; e < BM * BK / 4; e += THREADS) {
      int r = e / (BK / 4), k = e % (BK / 4) * 4;
      float4 a = load4(A, blockIdx.y * BM + r, k0 + k, M, K);
      As[k][r] = a.x;
      As[k + 1][r] = a.y;
      As[k + 2][r] = a.z;
      As[k + 3][r] = a.w;
    }
    for (int e = threadIdx.x; e < BK * BN / 4; e += THREADS) {
      int k = e / (BN / 4), c = e % (BN / 4) * 4;
      *(float4*)&Bs[k][c] = load4(B, k0 + k, blockIdx.x * BN + c, K, N);
    }
    __syncthreads();  // both tiles are written

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) *(float4*)&a[i] = *(const float4*)&As[k][row + 4 * i];
#pragma unroll
      for (int j = 0; j < TN; j += 4) *(float4*)&b[j] = *(const float4*)&Bs[k][column + 8 * j];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();  // both tiles are used up
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      store4(C, blockIdx.y * BM + row + 16 * (i / 4) + i % 4, blockIdx.x * BN + column + 8 * j, M, N, &sum[i][j]);
}
