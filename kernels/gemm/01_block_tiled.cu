/*---
title = "SGEMM, two-dimensional block tiling"
idea = "A block keeps BM x BK of A and BK x BN of B in shared memory; a thread keeps TM x TN of C in registers"
source = "Boehm: How to Optimize a CUDA Matmul Kernel (2022), kernel 5"
kernel = "gemm_block_tiled"
look_at = [
  "The inner loop loads TM + TN words for TM * TN multiplications: that is what registers are for",
  "As: the threads of a warp that share a row read the same word (a broadcast); those of other rows are TM * (BK + PAD) words away",
  "PAD 1 spreads the rows of As over the banks",
  "The compiler for the GPU may join scalar shared loads into wide ones; a profiler then shows fewer of them",
]

[[parameter]]
name = "BM"
title = "block tile, rows of C"
default = 64
min = 1
max = 256

[[parameter]]
name = "BN"
title = "block tile, columns of C"
default = 64
min = 1
max = 256

[[parameter]]
name = "BK"
title = "block tile, depth"
default = 8
min = 1
max = 64

[[parameter]]
name = "TM"
title = "thread tile, rows"
default = 8
min = 1
max = 16

[[parameter]]
name = "TN"
title = "thread tile, columns"
default = 8
min = 1
max = 16

[[parameter]]
name = "PAD"
title = "padding (elements a row of As)"
default = 0
min = 0
max = 32

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

[[layout]]
array = "As"
shape = "BM/TM, TM, BK"
strides = "TM*(BK + PAD), BK + PAD, 1"

[[layout]]
array = "Bs"
shape = "BK, BN/TN, TN"

[[layout]]
array = "C"
shape = "ceil_div(M, TM), TM, ceil_div(N, TN), TN"
strides = "TM*N, N, (TN < N ? TN : N), 1"

[launch]
block = ["(BM / TM) * (BN / TN)"]
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
#ifndef TN
#define TN 8
#endif
#ifndef PAD
#define PAD 0
#endif

__global__ void gemm_block_tiled(int M, int N, int K, const float* A, const float* B, float* C) {
  static_assert(BM % TM == 0 && BN % TN == 0, "thread tiles must fill the block tile");
  constexpr int THREADS = (BM / TM) * (BN / TN);
  __shared__ float As[BM / TM][TM][BK + PAD];
  __shared__ float Bs[BK][BN / TN][TN];

  int tr = threadIdx.x / (BN / TN);  // this thread's tile of C: row of tiles
  int tc = threadIdx.x % (BN / TN);  // and column of tiles
  float sum[TM][TN] = {};

  for (int k0 = 0; k0 < K; k0 += BK) {
    // Elements outside A and B are zero, so that they add nothing.
    for (int e = threadIdx.x; e < BM * BK; e += THREADS) {
      int row = e / BK, k = e % BK;
      int iy = blockIdx.y * BM + row;
      As[row / TM][row % TM][k] = iy < M && k0 + k < K ? A[iy * K + k0 + k] : 0.0f;
    }
    for (int e = threadIdx.x; e < BK * BN; e += THREADS) {
      int k = e / BN, column = e % BN;
      int ix = blockIdx.x * BN + column;
      Bs[k][column / TN][column % TN] = k0 + k < K && ix < N ? B[(k0 + k) * N + ix] : 0.0f;
    }
    __syncthreads();  // both tiles are written

    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) a[i] = As[tr][i][k];
#pragma unroll
      for (int j = 0; j < TN; ++j) b[j] = Bs[k][tc][j];
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
    for (int j = 0; j < TN; ++j) {
      int iy = blockIdx.y * BM + tr * TM + i;
      int ix = blockIdx.x * BN + tc * TN + j;
      if (iy < M && ix < N) C[iy * N + ix] = sum[i][j];
    }
}
