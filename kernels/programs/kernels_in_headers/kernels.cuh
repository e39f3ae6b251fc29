// Two kernels, of which one reads what no thread has written and writes past the end.
#pragma once

__global__ void fill(int* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = int(threadIdx.x);
}

__global__ void halves(const int* in, int* out, int n) {
  __shared__ int tile[32];
  const int i = int(threadIdx.x);
  if (i < 16) tile[i] = in[i];
  __syncthreads();
  out[i] = tile[i];
  if (i == 0) out[n] = 1;
}
