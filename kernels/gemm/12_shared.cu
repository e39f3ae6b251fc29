/*---
title = "SGEMM, tiles in shared memory"
idea = "A block reads each element of its tiles once and uses it BLOCK times"
source = "Boehm: How to Optimize a CUDA Matmul Kernel (2022), kernel 3"
kernel = "gemm_shared"
look_at = [
  "As: one word for a warp, a broadcast; Bs: 32 words side by side. No conflict",
  "Two shared loads for one multiplication: that is what keeps it slow",
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

__global__ void gemm_shared(int M, int N, int K, const float* A, const float* B, float* C) {
  __shared__ float As[BLOCK][BLOCK];
  __shared__ float Bs[BLOCK][BLOCK];

  int tx = threadIdx.x, ty = threadIdx.y;
  int ix = blockIdx.x * BLOCK + tx;
  int iy = blockIdx.y * BLOCK + ty;
  float sum = 0;

  for (int k0 = 0; k0 < K; k0 += BLOCK) {
    // Elements outside A and B are zero, so that they add nothing.
    As[ty][tx] = iy < M && k0 + tx < K ? A[iy * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && ix < N ? B[(k0 + ty) * N + ix] : 0.0f;
    __syncthreads();  // both tiles are written

    for (int k = 0; k < BLOCK; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();  // both tiles are used up
  }

  if (iy < M && ix < N) C[iy * N + ix] = sum;
}
