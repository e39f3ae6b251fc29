// Arithmetic that needs more than one operation: an array of classes by `new`, whose size may overflow, builtins that
// tell so, a video instruction in PTX, and the normal distribution on either side.
#include <cmath>
#include <cstdio>

struct Item {
  double values[3];
  __device__ Item() { values[0] = 1; }
};

__global__ void overflows(unsigned long long n, long long m, int* to) {
  unsigned long long product;
  long long negated;
  int sum;
  unsigned difference, distance;
  to[0] = __builtin_mul_overflow(n, 1ull << 62, &product);
  to[1] = __builtin_mul_overflow(n, 1ull << 61, &product);
  to[2] = __builtin_mul_overflow(m << 63, -1ll, &negated);
  to[3] = __builtin_mul_overflow(m, 0ll, &negated);
  to[4] = __builtin_add_overflow(static_cast<int>(m), 2147483647, &sum);
  to[5] = __builtin_sub_overflow(static_cast<unsigned>(n), 5u, &difference);
  to[6] = __builtin_sub_overflow(static_cast<unsigned>(n), 4u, &difference);
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(distance) : "r"(0x01020304), "r"(0x04030201), "r"(10));
  to[7] = distance;
  Item* items = new Item[n];
  to[8] = items[n - 1].values[0];
  delete[] items;
  to[9] = normcdf(1.0) * 1000;
}

int main() {
  int* values;
  cudaMallocManaged(&values, 10 * sizeof *values);
  overflows<<<1, 1>>>(4, 1, values);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 10; ++i) printf("%d ", values[i]);
  printf("%.3f %.3f\n", normcdf(1.0), normcdfinvf(0.5f));
  cudaFree(values);
}
