// What kernels say: printf, and an assertion that fails and ends all further work on the device.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void greet(const char* name) {
  if (threadIdx.x % 16 == 0)
    printf("block %d thread %2d: %s %.2f %llu\n", blockIdx.x, threadIdx.x, "value",
           threadIdx.x / 32.0, 1ull << 40);
}

__global__ void insist(const int* values) {
  assert(values[threadIdx.x] < 20);
}

int main() {
  greet<<<2, 32>>>(nullptr);
  cudaDeviceSynchronize();
  int host[32], *values;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  insist<<<1, 16>>>(values);
  std::printf("16 values: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  insist<<<1, 32>>>(values);
  std::printf("32 values: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("a copy then: %s\n",
              cudaGetErrorName(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost)));
  return 0;
}
