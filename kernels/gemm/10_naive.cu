/*---
title = "SGEMM, naive"
idea = "Neighbouring threads take neighbouring rows of C: every lane is in a row of its own"
source = "Boehm: How to Optimize a CUDA Matmul Kernel (2022), kernel 1"
kernel = "gemm_naive"
look_at = [
  "A: 32 lanes, 32 rows, 32 sectors; the same word of B for all of them",
  "C: the store meets 32 sectors too",
  "Compare with 11: the same arithmetic, x and y exchanged",
]

[[parameter]]
name = "BLOCK"
title = "block, both ways"
default = 32
choices = [8, 16, 32]

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
block = ["BLOCK", "BLOCK"]
grid = ["ceil_div(M, BLOCK)", "ceil_div(N, BLOCK)"]

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#ifndef BLOCK
#define BLOCK 32
#endif

__global__ void gemm_naive(int M, int N, int K, const float* A, const float* B, float* C) {
  int iy = blockIdx.x * BLOCK + threadIdx.x;  // x runs down the rows
  int ix = blockIdx.y * BLOCK + threadIdx.y;
  if (iy >= M || ix >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[iy * K + k] * B[k * N + ix];
  C[iy * N + ix] = sum;
}
