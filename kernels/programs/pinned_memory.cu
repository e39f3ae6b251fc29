// Host memory of the driver's: pinned for fast copies, mapped so that kernels reach it without any.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

int main() {
  const int n = 100;
  cudaSetDeviceFlags(cudaDeviceMapHost);
  int *pinned, *mapped, *mapped_on_device, *on_device;
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped_on_device, mapped, 0);
  cudaMalloc(&on_device, n * sizeof(int));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  cudaMemcpy(on_device, pinned, n * sizeof(int), cudaMemcpyHostToDevice);

  square<<<2, 64>>>(on_device, mapped_on_device, n);
  cudaDeviceSynchronize();
  std::printf("7 squared is %d, 99 squared is %d, with no copy back\n", mapped[7], mapped[99]);

  // Memory of malloc can be pinned later.
  int* usual = static_cast<int*>(std::malloc(n * sizeof(int)));
  for (int i = 0; i < n; ++i) usual[i] = 3;
  cudaHostRegister(usual, n * sizeof(int), cudaHostRegisterMapped);
  int* usual_on_device = nullptr;
  cudaHostGetDevicePointer(&usual_on_device, usual, 0);
  square<<<2, 64>>>(usual_on_device, mapped_on_device, n);
  cudaDeviceSynchronize();
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, mapped);
  std::printf("3 squared is %d; the memory is the %s's\n", mapped[0],
              attributes.type == cudaMemoryTypeHost ? "host" : "device");
  cudaHostUnregister(usual);
  std::free(usual);
  cudaFreeHost(pinned), cudaFreeHost(mapped), cudaFree(on_device);
  return cudaGetLastError();
}
