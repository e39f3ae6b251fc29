// Kernels in a header of the program's own: mistakes are told at their lines there. Blanks in the brackets of a launch.
#include <cstdio>

#include "kernels.cuh"

int main() {
  const int n = 32;
  int *in, *out, host[n];
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  fill << <1, n >> > (in, n);
  halves<<<1, n>>>(in, out, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[3], host[15]);
  cudaFree(in);
  cudaFree(out);
}
