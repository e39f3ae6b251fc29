// Arithmetic that needs more than one operation: an array of classes by `new`, whose size may overflow, a video
// instruction in PTX, and the normal distribution on either side.
#include <cmath>
#include <cstdio>

struct Item {
  double values[3];
  __device__ Item() { values[0] = 1; }
};

__global__ void work_out(unsigned long long n, int* to) {
  unsigned distance;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(distance) : "r"(0x01020304), "r"(0x04030201), "r"(10));
  to[0] = distance;
  Item* items = new Item[n];
  to[1] = items[n - 1].values[0];
  delete[] items;
  to[2] = normcdf(1.0) * 1000;
}

int main() {
  int* values;
  cudaMallocManaged(&values, 3 * sizeof *values);
  work_out<<<1, 1>>>(4, values);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 3; ++i) printf("%d ", values[i]);
  printf("%.3f %.3f\n", normcdf(1.0), normcdfinvf(0.5f));
  cudaFree(values);
}
