// What older toolkits had, and what their compilers let pass: warp functions without a mask, `register`, a name
// beside a literal, and numbers that become narrower in braces.
#include <cinttypes>
#include <cstdio>

struct Pair {
  int first;
  float second;
};

__global__ void sum_of_warp(int* to) {
  register int sum = threadIdx.x;
  for (int away = 16; away > 0; away /= 2) sum += __shfl_down(sum, away);
  const bool odd = __shfl_xor_sync(0xffffffffu, threadIdx.x % 2 == 1, 1);
  const unsigned votes = __ballot(odd);
  if (threadIdx.x != 0) return;
  to[0] = sum;
  to[1] = __popc(votes);
  to[2] = __shfl(sum, 0);
}

int main() {
  int *on_device, on_host[3];
  cudaMalloc(&on_device, sizeof on_host);
  sum_of_warp<<<1, 32>>>(on_device);
  cudaThreadSynchronize();
  cudaMemcpy(on_host, on_device, sizeof on_host, cudaMemcpyDeviceToHost);
  cudaFree(on_device);
  const double half = on_host[1] / 2.0;
  const Pair pair = {on_host[0], half};
  printf("%d %g %" PRId64 "\n", pair.first, pair.second, static_cast<int64_t>(on_host[2]));
}
