// Work in two streams, one of which waits for an event of the other; copies beside it; a host function at the end.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int* values, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = value;
}
__global__ void add_to(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}

void tell(void* data) { std::printf("the stream has come to %s\n", static_cast<const char*>(data)); }

int main() {
  const int n = 1000;
  const size_t bytes = n * sizeof(int);
  int *a, *b, *host;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMallocHost(&host, bytes);
  for (int i = 0; i < n; ++i) host[i] = i;

  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);

  fill<<<4, 256, 0, first>>>(a, n, 5);
  cudaEventRecord(filled, first);
  cudaMemcpyAsync(b, host, bytes, cudaMemcpyHostToDevice, second);
  cudaStreamWaitEvent(second, filled, 0);
  add_to<<<4, 256, 0, second>>>(a, b, n);
  cudaMemcpyAsync(host, b, bytes, cudaMemcpyDeviceToHost, second);
  static char name[] = "its end";
  cudaLaunchHostFunc(second, tell, name);
  cudaStreamSynchronize(second);
  std::printf("%d %d %d\n", host[0], host[500], host[999]);
  std::printf("first stream: %s\n", cudaGetErrorName(cudaStreamQuery(first)));
  cudaEventDestroy(filled);
  cudaStreamDestroy(first), cudaStreamDestroy(second);
  cudaFree(a), cudaFree(b), cudaFreeHost(host);
  return cudaGetLastError();
}
