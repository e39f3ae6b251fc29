// Variables of the device: constants that the host sets, a counter that it reads back, and their addresses.
#include <cstdio>
#include <cuda_runtime.h>

__constant__ float coefficients[4];
__constant__ int scale = 2;
__device__ unsigned hits;
__device__ float results[32];

__global__ void evaluate(float x0) {
  const float x = x0 + threadIdx.x;
  float value = 0;
  for (int i = 3; i >= 0; --i) value = value * x + coefficients[i];
  results[threadIdx.x] = scale * value;
  if (value > 10) atomicAdd(&hits, 1u);
}

int main() {
  const float polynomial[] = {1, 0, 2, 0};  // 1 + 2 x²
  cudaMemcpyToSymbol(coefficients, polynomial, sizeof polynomial);
  evaluate<<<1, 32>>>(0.0f);
  float first[4];
  unsigned counted = 0;
  cudaMemcpyFromSymbol(first, results, sizeof first);
  cudaMemcpyFromSymbol(&counted, hits, sizeof counted);
  std::printf("%g %g %g %g, %u above 10\n", first[0], first[1], first[2], first[3], counted);

  // One coefficient anew, through its offset; the counter through its address.
  const float cubic = 1;
  cudaMemcpyToSymbol(coefficients, &cubic, sizeof cubic, 3 * sizeof(float));
  void* address = nullptr;
  size_t bytes = 0;
  cudaGetSymbolAddress(&address, hits);
  cudaGetSymbolSize(&bytes, results);
  cudaMemset(address, 0, sizeof counted);
  evaluate<<<1, 32>>>(-1.0f);
  cudaMemcpyFromSymbol(first, results, sizeof first);
  cudaMemcpy(&counted, address, sizeof counted, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g %g, %u above 10, %zu bytes\n", first[0], first[1], first[2], first[3],
              counted, bytes);
  return cudaGetLastError();
}
