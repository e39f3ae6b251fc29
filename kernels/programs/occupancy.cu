// How many blocks fit, and which block size the runtime would choose.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(float* values, int n) {
  __shared__ float staged[1024];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  staged[threadIdx.x] = i < n ? values[i] : 0;
  if (i < n) values[i] = 2 * staged[threadIdx.x];
}

int main() {
  int blocks = 0, with_memory = 0, smallest_grid = 0, block_size = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&with_memory, scale, 256, 40 << 10);
  std::printf("blocks of 256 threads: %d; with 40 KiB more: %d\n", blocks, with_memory);
  cudaOccupancyMaxPotentialBlockSize(&smallest_grid, &block_size, scale, 0, 512);
  std::printf("chosen: %d threads, at least %s\n", block_size,
              smallest_grid % 132 == 0 ? "full multiprocessors" : "an odd number of blocks");

  const int n = 3000;
  float *values, host[n];
  for (int i = 0; i < n; ++i) host[i] = float(i);
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<(n + block_size - 1) / block_size, block_size>>>(values, n);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[1], host[n - 1]);
  return cudaFree(values);
}
