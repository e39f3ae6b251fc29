// A graph made by hand: two fills, a kernel that needs both, a copy out; then one parameter is changed.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void weigh(const int* a, const int* b, int weight, int* out) {
  const int i = threadIdx.x;
  out[i] = a[i] + weight * b[i];
}

cudaGraphNode_t add_fill(cudaGraph_t graph, int* where, unsigned value, size_t count) {
  cudaMemsetParams fill = {};
  fill.dst = where;
  fill.value = value;
  fill.elementSize = sizeof(int);
  fill.width = count;
  fill.height = 1;
  cudaGraphNode_t node;
  cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill);
  return node;
}

int main() {
  const int n = 32;
  int *a, *b, *out, host[n], weight = 10;
  cudaMalloc(&a, sizeof host), cudaMalloc(&b, sizeof host), cudaMalloc(&out, sizeof host);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  const cudaGraphNode_t filled[] = {add_fill(graph, a, 3, n), add_fill(graph, b, 4, n)};

  void* arguments[] = {&a, &b, &weight, &out};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(weigh);
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(n);
  launch.kernelParams = arguments;
  cudaGraphNode_t weighed, copied;
  cudaGraphAddKernelNode(&weighed, graph, filled, 2, &launch);
  cudaGraphAddMemcpyNode1D(&copied, graph, &weighed, 1, host, out, sizeof host,
                           cudaMemcpyDeviceToHost);
  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, 0);
  cudaDeviceSynchronize();
  std::printf("%d\n", host[n - 1]);

  weight = 100;
  cudaGraphExecKernelNodeSetParams(ready, weighed, &launch);
  cudaGraphLaunch(ready, 0);
  cudaDeviceSynchronize();
  std::printf("%d\n", host[n - 1]);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaFree(a), cudaFree(b), cudaFree(out);
  return cudaGetLastError();
}
