// Device code of several files: kernels call functions and use variables that another file defines, as after
// nvcc -rdc=true.
#include <cstdio>

extern __device__ float scaled(float x);
extern __device__ int calls;
extern __constant__ float factors[2];

void set_factors(float first, float second);
int calls_so_far();

__global__ void scale_all(float* values) {
  values[threadIdx.x] = scaled(values[threadIdx.x]) + factors[1];
  if (threadIdx.x == 0) atomicAdd(&calls, 100);
}

int main() {
  float *device, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  set_factors(2, 1000);
  scale_all<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g %g, %d calls\n", host[0], host[1], host[31], calls_so_far());
  // This file's own stand-in of the other's variable.
  const float again[2] = {3, 5};
  cudaMemcpyToSymbol(factors, again, sizeof again);
  scale_all<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g %g, %d calls\n", host[0], host[1], host[31], calls_so_far());
  cudaFree(device);
}
