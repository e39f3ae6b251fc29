/*---
title = "SGEMM, a strip of C for each thread"
idea = "A thread computes TM rows of one column: a word of Bs is loaded once and used TM times"
source = "Boehm: How to Optimize a CUDA Matmul Kernel (2022), kernel 4"
kernel = "gemm_strip"
look_at = [
  "Inner loop: one load of Bs and TM of As for TM multiplications; TM + 1 instead of 2 TM",
  "As: the whole warp reads one word",
  "The next step, 01, takes a rectangle: TM + TN loads for TM * TN multiplications",
]

[[parameter]]
name = "BM"
title = "block tile, rows of C"
default = 64
choices = [32, 64, 128]

[[parameter]]
name = "BN"
title = "block tile, columns of C"
default = 64
choices = [32, 64, 128]

[[parameter]]
name = "BK"
title = "block tile, depth"
default = 8
choices = [4, 8, 16]

[[parameter]]
name = "TM"
title = "thread tile, rows"
default = 8
choices = [1, 2, 4, 8, 16]

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
block = ["BM / TM * BN"]
grid = ["ceil_div(N, BN)", "ceil_div(M, BM)"]

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#ifndef BM
#define BM 64
#endif
#ifndef BN
#define BN 64
#endif
#ifndef BK
#define BK 8
#endif
#ifndef TM
#define TM 8
#endif

__global__ void gemm_strip(int M, int N, int K, const float* A, const float* B, float* C) {
  static_assert(BM % TM == 0, "strips must fill the block tile");
  constexpr int THREADS = BM / TM * BN;
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];

  int column = threadIdx.x % BN;
  int row = threadIdx.x / BN * TM;
  float sum[TM] = {};

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int e = threadIdx.x; e < BM * BK; e += THREADS) {
      int r = e / BK, k = e % BK;
      int iy = blockIdx.y * BM + r;
      As[r][k] = iy < M && k0 + k < K ? A[iy * K + k0 + k] : 0.0f;
    }
    for (int e = threadIdx.x; e < BK * BN; e += THREADS) {
      int k = e / BN, c = e % BN;
      int ix = blockIdx.x * BN + c;
      Bs[k][c] = k0 + k < K && ix < N ? B[(k0 + k) * N + ix] : 0.0f;
    }
    __syncthreads();  // both tiles are written

    for (int k = 0; k < BK; ++k) {
      float b = Bs[k][column];
#pragma unroll
      for (int i = 0; i < TM; ++i) sum[i] += As[row + i][k] * b;
    }
    __syncthreads();  // both tiles are used up
  }

#pragma unroll
  for (int i = 0; i < TM; ++i) {
    int iy = blockIdx.y * BM + row + i, ix = blockIdx.x * BN + column;
    if (iy < M && ix < N) C[iy * N + ix] = sum[i];
  }
}
