// After a branch that some lanes take, all go on together: what they print then comes in their order, and
// what is stored then is one store, whatever is asked again behind it.
#include <cstdio>

__global__ void line(int* out) {
  __shared__ int last[16];
  int lane = threadIdx.x;
  if (lane == 0) printf("lanes:");
  printf(" %d", lane);
  if (lane == 0) printf("\n");
  if (lane == 3) out[16] = lane;
  last[lane] = lane;
  if (lane == 3) out[lane] = last[lane];
}

int main() {
  int* out;
  cudaMalloc(&out, 17 * sizeof(int));
  line<<<1, 16>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
