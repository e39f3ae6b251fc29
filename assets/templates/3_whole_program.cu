/*---
title = "New: whole program"
idea = "A program that also runs by itself, with nvcc; here its kernel is launched as main() does"
kernel = "add"

[[argument]]
name = "a"
type = "float"
shape = ["n"]

[[argument]]
name = "b"
type = "float"
shape = ["n"]

[[argument]]
name = "sum"
type = "float"
shape = ["n"]
fill = "poison"

[[argument]]
name = "n"
title = "elements"
value = 10000
min = 1
max = 1048576

[launch]
block = ["256"]
grid = ["ceil_div(n, 256)"]
---*/
#include <cstdio>
#include <vector>

__global__ void add(const float* a, const float* b, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const int n = 10000;
  const size_t bytes = n * sizeof(float);
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;

  float *a, *b, *sum;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&sum, bytes);
  cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host.data(), bytes, cudaMemcpyHostToDevice);

  add<<<(n + 255) / 256, 256>>>(a, b, sum, n);

  cudaMemcpy(host.data(), sum, bytes, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  std::printf("sum[%d] = %g\n", n - 1, host[n - 1]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(sum);
}
