/*---
title = "A product of matrices, one element a thread"
idea = "Each thread multiplies a row of A by a column of B, straight from global memory"
source = "CUDA C++ Programming Guide, section Shared Memory"
kernel = "gemm_dot"
look_at = ["The load of A: one element for all lanes", "The load of B: neighbours"]

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

[launch]
block = ["32", "8"]
grid = ["ceil_div(N, 32)", "ceil_div(M, 8)"]

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
__global__ void gemm_dot(int M, int N, int K, const float* A, const float* B, float* C) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix >= N || iy >= M) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) {
    float a = A[iy * K + k];
    float b = B[k * N + ix];
    sum += a * b;
  }
  C[iy * N + ix] = sum;
}
