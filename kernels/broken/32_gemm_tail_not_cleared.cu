/*---
title = "GEMM whose last tiles keep old elements"
idea = "Beyond the edge the tile still holds what the step before put there"
source = "A mistake often seen in first kernels"
kernel = "gemm"
look_at = ["What the diagnostics say, and where"]

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
    if (iy < n && k0 + tx < K) As[ty][tx] = A[iy * K + k0 + tx];
    if (k0 + ty < K && ix < n) Bs[ty][tx] = B[(k0 + ty) * n + ix];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (ix < n && iy < n) C[iy * n + ix] = sum;
}
