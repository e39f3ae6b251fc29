/*---
title = "SGEMM, four words at a time"
idea = "float4 everywhere; As is turned on its way in, so that a thread reads its rows side by side"
source = "Boehm: How to Optimize a CUDA Matmul Kernel (2022), kernel 6"
kernel = "gemm_vectorised"
look_at = [
  "The store into As: neighbouring lanes are BM + PAD words apart; 128 is a multiple of 32, PAD = 4 helps",
  "Bs: 16 bytes a lane, served in quarter-warps of eight lanes each",
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
default = 8
choices = [8, 16]

[[parameter]]
name = "TM"
title = "thread tile, rows"
default = 8
choices = [4, 8]

[[parameter]]
name = "TN"
title = "thread tile, columns"
default = 8
choices = [4, 8]

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
block = ["(BM / TM) * (BN / TN)"]
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
#define BK 8
#endif
#ifndef TM
#define TM 8
#endif
#ifndef TN
#define TN 8
#endif
#ifndef PAD
#define PAD 4
#endif

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

__global__ void gemm_vectorised(int M, int N, int K, const float* A, const float* B, float* C) {
  static_assert(BM % TM == 0 && BN % TN == 0, "thread tiles must fill the block tile");
  constexpr int THREADS = (BM / TM) * (BN / TN);
  __shared__ __align__(16) float As[BK][BM + PAD];
  __shared__ __align__(16) float Bs[BK][BN];

  int row = threadIdx.x / (BN / TN) * TM;
  int column = threadIdx.x % (BN / TN) * TN;
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

    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; i += 4) *(float4*)&a[i] = *(const float4*)&As[k][row + i];
#pragma unroll
      for (int j = 0; j < TN; j += 4) *(float4*)&b[j] = *(const float4*)&Bs[k][column + j];
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
      store4(C, blockIdx.y * BM + row + i, blockIdx.x * BN + column + j, M, N, &sum[i][j]);
}
