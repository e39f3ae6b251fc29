// A barrier is missing: the race is told with its line, and the program goes on as it would on a GPU.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void rotate(const int* in, int* out) {
  __shared__ int staged[128];
  staged[threadIdx.x] = in[threadIdx.x];
  // __syncthreads() belongs here.
  out[threadIdx.x] = staged[(threadIdx.x + 1) % 128];
}

__global__ void rotate_well(const int* in, int* out) {
  __shared__ int staged[128];
  staged[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = staged[(threadIdx.x + 1) % 128];
}

int main() {
  int host[128], *in, *out;
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host), cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  rotate<<<1, 128>>>(in, out);
  std::printf("with the race: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  rotate_well<<<1, 128>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("without it: %d %d\n", host[0], host[127]);
  cudaFree(in), cudaFree(out);
  return 0;
}
