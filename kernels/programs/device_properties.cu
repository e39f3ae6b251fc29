// What a program may ask about its device, by structure and by attribute; both must agree.
#include <cstdio>
#include <cuda_runtime.h>

int attribute(cudaDeviceAttr which) {
  int value = -1;
  cudaDeviceGetAttribute(&value, which, 0);
  return value;
}

int main() {
  int devices = 0, current = -1, driver = 0, runtime = 0;
  cudaGetDeviceCount(&devices);
  cudaSetDevice(0);
  cudaGetDevice(&current);
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("%d device, current %d, driver %s\n", devices, current,
              driver >= runtime && runtime >= 12000 ? "new enough" : "too old");
  std::printf("%s, %d.%d\n", properties.name, properties.major, properties.minor);
  std::printf("%d multiprocessors, warps of %d, %d threads a block\n",
              properties.multiProcessorCount, properties.warpSize, properties.maxThreadsPerBlock);
  std::printf("shared memory: %zu a block, %zu on request, %zu a multiprocessor\n",
              properties.sharedMemPerBlock, properties.sharedMemPerBlockOptin,
              properties.sharedMemPerMultiprocessor);
  const bool same =
      attribute(cudaDevAttrMultiProcessorCount) == properties.multiProcessorCount &&
      attribute(cudaDevAttrWarpSize) == properties.warpSize &&
      attribute(cudaDevAttrMaxThreadsPerBlock) == properties.maxThreadsPerBlock &&
      attribute(cudaDevAttrComputeCapabilityMajor) == properties.major &&
      attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == int(properties.sharedMemPerBlockOptin);
  size_t free_before = 0, free_after = 0, total = 0;
  void* memory = nullptr;
  cudaMemGetInfo(&free_before, &total);
  cudaMalloc(&memory, 64 << 20);
  cudaMemGetInfo(&free_after, &total);
  std::printf("attributes %s; 64 MiB less: %s\n", same ? "agree" : "differ",
              free_before - free_after >= size_t{64} << 20 && total >= free_before ? "yes" : "no");
  std::printf("device 7: %s\n", cudaGetErrorName(cudaSetDevice(7)));
  return cudaFree(memory);
}
