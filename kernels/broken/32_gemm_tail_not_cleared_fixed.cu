/*---
title = "GEMM whose last tiles keep old elements, corrected"
idea = "What lies outside counts as zero"
source = "A mistake often seen in first kernels"
kernel = "gemm"
look_at = ["Compare with the broken twin"]

[[argument]]
name = "n"
title = "extent of C"
value = 32
min = 1
max = 32768

[[argument]]
name = "K"
title = "columns of A, rows of B"
value = 40
min = 1
max = 32768

[[argument]]
name = "A"
type = "float"
shape = ["n", "K"]
fill = "random"

[[argument]]
name = "B"
type = "float"
shape = ["K", "n"]
fill = "random"

[[argument]]
name = "C"
type = "float"
shape = ["n", "n"]
fill = "poison"

[launch]
block = ["16", "16"]
grid = ["ceil_div(n, 16)", "ceil_div(n, 16)"]
shared = "0"

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
__global__ void gemm(int n, int K, const float* A, const float* B, float* C) {
  __shared__ float As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int ix = blockIdx.x * 16 + tx, iy = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = iy < n && k0 + tx < K ? A[iy * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && ix < n ? B[(k0 + ty) * n + ix] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (ix < n && iy < n) C[iy * n + ix] = sum;
}
