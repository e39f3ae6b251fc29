// More than 48 KiB of dynamic shared memory has to be asked for; what a kernel is can be asked too.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kElements = 20000;  // 80,000 bytes

__global__ void reverse(const int* in, int* out) {
  extern __shared__ int staged[];
  for (int i = threadIdx.x; i < kElements; i += blockDim.x) staged[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < kElements; i += blockDim.x) out[i] = staged[kElements - 1 - i];
}

__global__ void __launch_bounds__(128) small(int* out) {
  __shared__ int part[128];
  part[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = part[threadIdx.x];
}

int main() {
  const size_t bytes = kElements * sizeof(int);
  static int host[kElements];
  for (int i = 0; i < kElements; ++i) host[i] = i;
  int *in, *out;
  cudaMalloc(&in, bytes), cudaMalloc(&out, bytes);
  cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);

  reverse<<<1, 256, bytes>>>(in, out);
  std::printf("without asking: %s\n", cudaGetLastError() == cudaSuccess ? "launched" : "refused");
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  reverse<<<1, 256, bytes>>>(in, out);
  std::printf("after asking: %s\n", cudaGetLastError() == cudaSuccess ? "launched" : "refused");
  cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[kElements - 1]);

  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, small);
  std::printf("small: %zu bytes of shared memory, up to %d threads\n", attributes.sharedSizeBytes,
              attributes.maxThreadsPerBlock);
  cudaFuncGetAttributes(&attributes, reverse);
  std::printf("reverse: %d bytes of dynamic shared memory allowed\n",
              attributes.maxDynamicSharedSizeBytes);
  small<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(in), cudaFree(out);
  return cudaGetLastError();
}
