// The shape of most first programs: allocate, copy in, launch, time with events, copy out, compare.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(EXIT_FAILURE);                                                            \
    }                                                                                     \
  } while (0)

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const int n = 5000, threads = 256, blocks = (n + threads - 1) / threads;
  const size_t bytes = n * sizeof(float);
  float* a = static_cast<float*>(std::malloc(bytes));
  float* b = static_cast<float*>(std::malloc(bytes));
  for (int i = 0; i < n; ++i) a[i] = float(i), b[i] = float(2 * i);

  float *device_a, *device_b, *device_sum;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_sum, bytes));
  CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));

  cudaEvent_t before, after;
  CHECK(cudaEventCreate(&before));
  CHECK(cudaEventCreate(&after));
  CHECK(cudaEventRecord(before));
  add<<<blocks, threads>>>(device_a, device_b, device_sum, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(after));
  CHECK(cudaEventSynchronize(after));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, before, after));
  CHECK(cudaMemcpy(a, device_sum, bytes, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += a[i] != float(3 * i);
  std::printf("%d of %d sums are wrong; timed: %s\n", wrong, n, milliseconds >= 0 ? "yes" : "no");
  CHECK(cudaEventDestroy(before));
  CHECK(cudaEventDestroy(after));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_sum));
  std::free(a), std::free(b);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
