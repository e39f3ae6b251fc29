/*---
title = "Thread tiles whose columns lie between each other"
idea = "Lanes beside each other take columns beside each other: the same product, another layout of Bs"
source = "Own design"
kernel = "gemm_interleaved"
look_at = [
  "Bs[k][j][tc]: lanes are neighbours, one wavefront",
  "C: lanes are neighbours too, so its sectors are used whole",
]

[[parameter]]
name = "PAD"
title = "padding (elements a row of As)"
default = 1
min = 0
max = 32

[[argument]]
name = "M"
title = "rows of A and C"
value = 128
min = 1
max = 4096

[[argument]]
name = "N"
title = "columns of B and C"
value = 128
min = 1
max = 4096

[[argument]]
name = "K"
title = "columns of A, rows of B"
value = 64
min = 1
max = 4096

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
shape = "8, 8, 8"
strides = "8*(8 + PAD), 8 + PAD, 1"

[[layout]]
array = "Bs"
shape = "8, 8, 8"

[launch]
block = ["64"]
grid = ["ceil_div(N, 64)", "ceil_div(M, 64)"]

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#ifndef PAD
#define PAD 1
#endif

// A block makes 64 x 64 elements of C, a thread 8 x 8 of them: BK, TM and TN are 8.
__global__ void gemm_interleaved(int M, int N, int K, const float* A, const float* B, float* C) {
  __shared__ float As[8][8][8 + PAD];
  __shared__ float Bs[8][8][8];
  int tr = threadIdx.x / 8, tc = threadIdx.x % 8;
  float sum[8][8] = {};

  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int e = threadIdx.x; e < 64 * 8; e += 64) {
      int row = e / 8, k = e % 8;
      int iy = blockIdx.y * 64 + row;
      As[row / 8][row % 8][k] = iy < M && k0 + k < K ? A[iy * K + k0 + k] : 0.0f;
    }
    for (int e = threadIdx.x; e < 8 * 64; e += 64) {
      int k = e / 64, column = e % 64;
      int ix = blockIdx.x * 64 + column;
      Bs[k][column / 8][column % 8] = k0 + k < K && ix < N ? B[(k0 + k) * N + ix] : 0.0f;
    }
    __syncthreads();  // both tiles are written

    for (int k = 0; k < 8; ++k) {
      float a[8], b[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) a[i] = As[tr][i][k];
#pragma unroll
      for (int j = 0; j < 8; ++j) b[j] = Bs[k][j][tc];  // column 8 * j + tc
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();  // both tiles are used up
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      int iy = blockIdx.y * 64 + tr * 8 + i;
      int ix = blockIdx.x * 64 + j * 8 + tc;
      if (iy < M && ix < N) C[iy * N + ix] = sum[i][j];
    }
}
