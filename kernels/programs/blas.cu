// Linear algebra by the library: vectors, and a product of matrices stored column by column.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void fill(float* values, int n, float step) {
  const int i = threadIdx.x;
  if (i < n) values[i] = step * float(i + 1);
}

int main() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  const int n = 6;
  float *x, *y, host[n], dot = 0, norm = 0;
  cudaMalloc(&x, n * sizeof(float)), cudaMalloc(&y, n * sizeof(float));
  fill<<<1, 32>>>(x, n, 1.0f);  // 1 2 3 4 5 6
  fill<<<1, 32>>>(y, n, 10.0f);
  const float two = 2, one = 1, zero = 0;
  cublasSaxpy(handle, n, &two, x, 1, y, 1);  // 12 24 36 48 60 72
  cublasSdot(handle, n, x, 1, y, 1, &dot);
  cublasSnrm2(handle, 2, y, 2, &norm);  // of 12 and 36
  cublasGetVector(n, sizeof(float), y, 1, host, 1);
  std::printf("%g %g, dot %g, norm %.3f\n", host[0], host[5], dot, norm);

  // x as 2 x 3, y as 3 x 2: their product is 2 x 2.
  float *product, c[4];
  cudaMalloc(&product, sizeof c);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, x, 2, y, 3, &zero, product, 2);
  cublasGetMatrix(2, 2, sizeof(float), product, 2, c, 2);
  std::printf("%g %g\n%g %g\n", c[0], c[2], c[1], c[3]);
  cublasDestroy(handle);
  cudaFree(x), cudaFree(y), cudaFree(product);
  return cudaGetLastError();
}
