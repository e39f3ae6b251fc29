// What nothing has set is reported where a kernel reads it, and is zero, on the device as on the host: so a
// new process mostly finds it.
#include <cstdio>
#include <cstdlib>

__global__ void add(int* out) {
  __shared__ int sums[32];
  sums[threadIdx.x] += threadIdx.x;
  out[threadIdx.x] += sums[threadIdx.x];
}

int main() {
  int total;
  int* sums = (int*)malloc(32 * sizeof(int));
  float* means = new float[32];
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) means[i] += sums[i];
  add<<<1, 32>>>(out);
  cudaMemcpy(sums, out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) total += sums[i];
  printf("%d %g\n", total, means[31]);
  cudaFree(out);
  delete[] means;
  free(sums);
  return 0;
}
