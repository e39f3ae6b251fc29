#include <cuda_runtime.h>

#include "smooth.h"

static int launched = 0;

__global__ static void mean_of_three(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float before = in[max(i - 1, 0)], after = in[min(i + 1, n - 1)];
  out[i] = (before + in[i] + after) / 3;
}

std::vector<float> smooth(const std::vector<float>& samples, int times) {
  const int n = static_cast<int>(samples.size());
  const size_t bytes = n * sizeof(float);
  float *from, *to;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMemcpy(from, samples.data(), bytes, cudaMemcpyHostToDevice);
  for (int i = 0; i < times; ++i) {
    mean_of_three<<<(n + 63) / 64, 64>>>(from, to, n);
    std::swap(from, to);
    ++launched;
  }
  std::vector<float> result(samples.size());
  cudaMemcpy(result.data(), from, bytes, cudaMemcpyDeviceToHost);
  cudaFree(from), cudaFree(to);
  return result;
}

int kernels_launched() { return launched; }
