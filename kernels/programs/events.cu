// What events say: elapsed time that never runs backwards, states, and the errors of wrong use.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void work(float* value) {
  float x = *value;
  for (int i = 0; i < 100; ++i) x = x * 0.5f + 1.0f;
  *value = x;
}

int main() {
  float* value = nullptr;
  cudaMalloc(&value, sizeof(float));
  cudaMemset(value, 0, sizeof(float));
  cudaEvent_t start, middle, end, untimed, never;
  cudaEventCreate(&start), cudaEventCreate(&middle), cudaEventCreate(&end), cudaEventCreate(&never);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming | cudaEventBlockingSync);

  cudaEventRecord(start);
  work<<<1, 1>>>(value);
  cudaEventRecord(middle);
  work<<<1, 1>>>(value);
  cudaEventRecord(end);
  cudaEventRecord(untimed);
  cudaEventSynchronize(end);
  std::printf("query: %s\n", cudaGetErrorName(cudaEventQuery(end)));
  float part = -1, whole = -1, none = -1;
  cudaEventElapsedTime(&part, start, middle);
  cudaEventElapsedTime(&whole, start, end);
  std::printf("in order: %s\n", part >= 0 && whole >= part ? "yes" : "no");
  std::printf("without time: %s\n", cudaGetErrorName(cudaEventElapsedTime(&none, start, untimed)));
  std::printf("not recorded: %s\n", cudaGetErrorName(cudaEventElapsedTime(&none, start, never)));
  cudaGetLastError();
  float result = 0;
  cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%g\n", result);
  for (cudaEvent_t event : {start, middle, end, untimed, never}) cudaEventDestroy(event);
  return cudaFree(value);
}
