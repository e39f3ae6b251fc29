// Errors: of a call, of a launch, kept until they are asked for; and one that nothing mends.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void write(int* where) { where[threadIdx.x] = 1; }

void tell(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main() {
  int* memory = nullptr;
  tell("a huge allocation", cudaMalloc(&memory, size_t{1} << 50));
  tell("kept", cudaPeekAtLastError());
  tell("taken", cudaGetLastError());
  tell("gone", cudaGetLastError());
  tell("a small one", cudaMalloc(&memory, 64 * sizeof(int)));

  write<<<1, 2048>>>(memory);  // no block has so many threads
  const cudaError_t launch = cudaGetLastError();
  std::printf("2048 threads: %s\n", launch != cudaSuccess ? "refused" : "launched");
  write<<<1, 64>>>(memory);
  tell("64 threads", cudaDeviceSynchronize());

  write<<<1, 32>>>(reinterpret_cast<int*>(16));  // an address that nobody gave out
  tell("a wild address", cudaDeviceSynchronize());
  tell("sticky", cudaMalloc(&memory, 4));
  cudaGetLastError();
  tell("still", cudaDeviceSynchronize());
  std::printf("%s\n", cudaGetErrorString(cudaErrorIllegalAddress));
  return 0;
}
