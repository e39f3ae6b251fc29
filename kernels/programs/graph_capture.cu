// A stream's work recorded once and launched again and again.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void increment(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}
__global__ void double_all(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  const int n = 256;
  int *values, *host;
  cudaMalloc(&values, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  cudaMemset(values, 0, n * sizeof(int));
  host[0] = -1;

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  increment<<<2, 128, 0, stream>>>(values, n);
  double_all<<<2, 128, 0, stream>>>(values, n);
  cudaMemcpyAsync(host, values, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  std::printf("captured, not run: %d\n", host[0]);

  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  for (int i = 0; i < 4; ++i) cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  std::printf("%zu nodes, four times: %d\n", nodes, host[0]);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(values), cudaFreeHost(host);
  return cudaGetLastError();
}
