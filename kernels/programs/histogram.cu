// Atomic operations: a histogram in shared memory, added to the one in global memory; and their other kinds.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kBins = 16;

__global__ void histogram(const unsigned char* data, int n, unsigned* bins) {
  __shared__ unsigned own[kBins];
  if (threadIdx.x < kBins) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[data[i] % kBins], 1u);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void other_kinds(int* cells) {
  const int i = threadIdx.x;
  atomicMax(&cells[0], i);
  atomicMin(&cells[1], -i);
  atomicOr(&cells[2], 1 << (i % 8));
  atomicXor(&cells[3], i);
  atomicSub(&cells[4], 2);
  if (atomicCAS(&cells[5], 0, 1 + i) == 0) atomicExch(&cells[6], 77);
}

int main() {
  const int n = 10000;
  static unsigned char data[n];
  for (int i = 0; i < n; ++i) data[i] = static_cast<unsigned char>(i * i);
  unsigned char* device_data;
  unsigned *device_bins, bins[kBins], total = 0;
  cudaMalloc(&device_data, n), cudaMalloc(&device_bins, sizeof bins);
  cudaMemcpy(device_data, data, n, cudaMemcpyHostToDevice);
  cudaMemset(device_bins, 0, sizeof bins);
  histogram<<<8, 128>>>(device_data, n, device_bins);
  cudaMemcpy(bins, device_bins, sizeof bins, cudaMemcpyDeviceToHost);
  for (unsigned count : bins) total += count;
  std::printf("%u %u %u %u %u, of %u\n", bins[0], bins[1], bins[2], bins[4], bins[9], total);

  int *cells, host[7];
  cudaMalloc(&cells, sizeof host);
  cudaMemset(cells, 0, sizeof host);
  other_kinds<<<1, 64>>>(cells);
  cudaMemcpy(host, cells, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d %d %s %d\n", host[0], host[1], host[2], host[3], host[4],
              host[5] > 0 ? "taken" : "free", host[6]);
  cudaFree(device_data), cudaFree(device_bins), cudaFree(cells);
  return cudaGetLastError();
}
