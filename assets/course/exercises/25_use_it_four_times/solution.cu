/*---
title = "Four rows of C, one after the other"
idea = "Each row loads the same column of B again"
kernel = "gemm_rows"
look_at = [
  "The inner loop: loads for each multiplication",
  "Which of its loads do not depend on r",
]

[[argument]]
name = "M"
title = "rows of A and C"
value = 64
min = 1
max = 4096

[[argument]]
name = "N"
title = "columns of B and C"
value = 64
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

[launch]
block = ["32", "8"]
grid = ["ceil_div(N, 32)", "ceil_div(M, 32)"]

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#define TILE 32
#define ROWS 4  // of C, for each thread: the block has 32 x 8 threads

__global__ void gemm_rows(int M, int N, int K, const float* A, const float* B, float* C) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int column = blockIdx.x * TILE + threadIdx.x;
  int first = blockIdx.y * TILE + threadIdx.y * ROWS;  // row of C
  float sum[ROWS] = {};

  for (int k0 = 0; k0 < K; k0 += TILE) {
    for (int j = threadIdx.y; j < TILE; j += TILE / ROWS) {
      int ay = blockIdx.y * TILE + j, ax = k0 + threadIdx.x;
      As[j][threadIdx.x] = ay < M && ax < K ? A[ay * K + ax] : 0.0f;
      int by = k0 + j;
      Bs[j][threadIdx.x] = by < K && column < N ? B[by * N + column] : 0.0f;
    }
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < TILE; ++k) {
      float b = Bs[k][threadIdx.x];  // one load for all rows of this thread
      for (int r = 0; r < ROWS; ++r) sum[r] += As[threadIdx.y * ROWS + r][k] * b;
    }
    __syncthreads();
  }

  for (int r = 0; r < ROWS; ++r)
    if (first + r < M && column < N) C[(first + r) * N + column] = sum[r];
}
