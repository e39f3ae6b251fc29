#include <cuda_runtime.h>

__device__ int calls = 7;
__constant__ float factors[2];

// Another file may have one of the same name.
static __device__ float factor() { return factors[0]; }

__device__ float scaled(float x) {
  atomicAdd(&calls, 1);
  return factor() * x;
}

void set_factors(float first, float second) {
  const float both[2] = {first, second};
  cudaMemcpyToSymbol(factors, both, sizeof both);
}

int calls_so_far() {
  int count = 0;
  cudaMemcpyFromSymbol(&count, calls, sizeof count);
  return count;
}
