// Shared memory whose size the launch decides, holding two arrays of different types.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum_and_count(const float* in, int n, float* sums, int* positives) {
  extern __shared__ __align__(8) unsigned char memory[];
  float* parts = reinterpret_cast<float*>(memory);
  int* counts = reinterpret_cast<int*>(parts + blockDim.x);
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  parts[t] = i < n ? in[i] : 0;
  counts[t] = i < n && in[i] > 0;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t >= half) continue;
    parts[t] += parts[t + half];
    counts[t] += counts[t + half];
  }
  if (t == 0) sums[blockIdx.x] = parts[0], positives[blockIdx.x] = counts[0];
}

int main() {
  const int n = 700;
  float host[n], *in, *sums;
  int* positives;
  for (int i = 0; i < n; ++i) host[i] = float(i % 7 - 3);
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMalloc(&sums, 16 * sizeof(float)), cudaMalloc(&positives, 16 * sizeof(int));
  for (int threads : {64, 256}) {
    const int blocks = (n + threads - 1) / threads;
    sum_and_count<<<blocks, threads, threads * (sizeof(float) + sizeof(int))>>>(in, n, sums,
                                                                                 positives);
    float sum[16], total = 0;
    int count[16], all = 0;
    cudaMemcpy(sum, sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(count, positives, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    for (int block = 0; block < blocks; ++block) total += sum[block], all += count[block];
    std::printf("%d threads: sum %g, %d positive\n", threads, total, all);
  }
  cudaFree(in), cudaFree(sums), cudaFree(positives);
  return cudaGetLastError();
}
