/*---
title = "A product of matrices by way of shared tiles"
idea = "A block brings a tile of A and one of B into shared memory and uses each element 32 times"
source = "CUDA C++ Programming Guide, section Shared Memory"
kernel = "gemm_tiled"
look_at = ["The loads from the tiles: no conflicts, but two of them for one multiplication"]

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
block = ["32", "32"]
grid = ["ceil_div(N, 32)", "ceil_div(M, 32)"]

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
__global__ void gemm_tiled(int M, int N, int K, const float* A, const float* B, float* C) {
  __shared__ float As[32][32], Bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int ix = blockIdx.x * 32 + tx, iy = blockIdx.y * 32 + ty;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[ty][tx] = iy < M && k0 + tx < K ? A[iy * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && ix < N ? B[(k0 + ty) * N + ix] : 0.0f;
    __syncthreads();  // both tiles are written
    for (int k = 0; k < 32; ++k) {
      float a = As[ty][k];
      float b = Bs[k][tx];
      sum += a * b;
    }
    __syncthreads();  // both tiles are used up
  }
  if (ix < N && iy < M) C[iy * N + ix] = sum;
}
