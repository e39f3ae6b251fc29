// What the lanes of a warp can do together: shuffles, votes, matches.
#include <cstdio>
#include <cuda_runtime.h>

struct Answer {
  int prefix, rotated, exchanged;
  unsigned even, same, active;
  int all, any;
};

__global__ void together(Answer* answers) {
  constexpr unsigned everyone = 0xffffffffu;
  const int lane = threadIdx.x % warpSize;
  int prefix = lane;
  for (int offset = 1; offset < warpSize; offset *= 2) {
    const int below = __shfl_up_sync(everyone, prefix, offset);
    if (lane >= offset) prefix += below;
  }
  Answer answer = {};
  answer.prefix = prefix;
  answer.rotated = __shfl_sync(everyone, lane, lane + 1);
  answer.exchanged = __shfl_xor_sync(everyone, lane, 3);
  answer.even = __ballot_sync(everyone, lane % 2 == 0);
  answer.same = __match_any_sync(everyone, lane / 4);
  answer.all = __all_sync(everyone, lane < 32);
  answer.any = __any_sync(everyone, lane == 40);
  if (lane >= 20) answer.active = __activemask();
  __syncwarp();
  answers[threadIdx.x] = answer;
}

int main() {
  Answer *device, host[64];
  cudaMalloc(&device, sizeof host);
  together<<<1, 64>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int lane : {0, 5, 31, 63}) {
    const Answer& a = host[lane];
    std::printf("%2d: %3d %2d %2d %08x %08x %08x %d %d\n", lane, a.prefix, a.rotated, a.exchanged,
                a.even, a.same, a.active, a.all, a.any);
  }
  return cudaFree(device);
}
