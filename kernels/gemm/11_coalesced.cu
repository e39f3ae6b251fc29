/*---
title = "SGEMM, coalesced"
idea = "Neighbouring threads take neighbouring columns of C: a warp reads one row of B at a time"
source = "Boehm: How to Optimize a CUDA Matmul Kernel (2022), kernel 2"
kernel = "gemm_coalesced"
look_at = [
  "A: one word for the whole warp; B: 32 neighbours, four sectors",
  "Every element of A and B is still read K times from far away",
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
grid = ["ceil_div(N, BLOCK)", "ceil_div(M, BLOCK)"]

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#ifndef BLOCK
#define BLOCK 32
#endif

__global__ void gemm_coalesced(int M, int N, int K, const float* A, const float* B, float* C) {
  int ix = blockIdx.x * BLOCK + threadIdx.x;
  int iy = blockIdx.y * BLOCK + threadIdx.y;
  if (ix >= N || iy >= M) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[iy * K + k] * B[k * N + ix];
  C[iy * N + ix] = sum;
}
