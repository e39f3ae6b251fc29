// Blocks that wait for what others write: for earlier ones (a scan that looks back), for a later one, and all for
// all, without a cooperative launch. None of it is a loop without an end.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int kBlocks = 600, kThreads = 128, kCount = kBlocks * kThreads;

__global__ void scan(const int* in, int* out, volatile int* sums, volatile unsigned* done, int work) {
  __shared__ int values[kThreads];
  __shared__ int before;
  int t = threadIdx.x, block = blockIdx.x;
  unsigned mixed = in[block * kThreads + t];
  for (int i = 0; i < work; ++i) mixed = mixed * 3 + 1;
  values[t] = in[block * kThreads + t] + (mixed == 0x80000000u);
  __syncthreads();
  for (int distance = 1; distance < kThreads; distance *= 2) {
    int left = t >= distance ? values[t - distance] : 0;
    __syncthreads();
    values[t] += left;
    __syncthreads();
  }
  if (t == 0) {
    int sum = 0;
    if (block > 0) {
      while (done[block - 1] == 0) {}
      __threadfence();
      sum = sums[block - 1];
    }
    sums[block] = sum + values[kThreads - 1];
    __threadfence();
    done[block] = 1;
    before = sum;
  }
  __syncthreads();
  out[block * kThreads + t] = before + values[t];
}

__global__ void wait_for_a_later_block(volatile int* flag, int* data, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (flag[0] == 0) {}
    __threadfence();
    out[0] = data[0];
  } else if (blockIdx.x == 5) {
    data[0] = 42;
    __threadfence();
    flag[0] = 1;
  }
}

__device__ void meet(unsigned* arrived, unsigned meeting) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned*)arrived < meeting * gridDim.x) {}
    __threadfence();
  }
  __syncthreads();
}

__global__ void all_for_all(unsigned* arrived, int* a, int* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, last = gridDim.x * blockDim.x - 1;
  for (unsigned round = 1; round <= 3; ++round) {
    a[i] = i * round;
    meet(arrived, 2 * round - 1);
    b[i] = a[last - i];
    meet(arrived, 2 * round);
  }
}

int main() {
  std::vector<int> numbers(kCount), sums(kCount);
  for (int i = 0; i < kCount; ++i) numbers[i] = i % 5;
  int *in, *out, *state;
  cudaMalloc(&in, kCount * sizeof(int)), cudaMalloc(&out, kCount * sizeof(int));
  cudaMalloc(&state, 2 * kBlocks * sizeof(int));
  cudaMemcpy(in, numbers.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (int round = 0; round < 3; ++round) {
    cudaMemset(state, 0, 2 * kBlocks * sizeof(int));
    scan<<<kBlocks, kThreads>>>(in, out, state, (unsigned*)state + kBlocks, 200);
    cudaMemcpy(sums.data(), out, kCount * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < kCount; ++i) wrong += sums[i] != (sum += numbers[i]);
  }
  std::printf("scan: %s, %d wrong\n", cudaGetErrorName(cudaGetLastError()), wrong);

  cudaMemset(state, 0, 3 * sizeof(int));
  wait_for_a_later_block<<<8, 32>>>(state, state + 1, state + 2);
  cudaMemcpy(sums.data(), state, 3 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("later: %s, %d\n", cudaGetErrorName(cudaGetLastError()), sums[2]);

  cudaMemset(state, 0, sizeof(int));
  all_for_all<<<16, 64>>>((unsigned*)state, in, out);
  cudaMemcpy(sums.data(), out, 1024 * sizeof(int), cudaMemcpyDeviceToHost);
  wrong = 0;
  for (int i = 0; i < 1024; ++i) wrong += sums[i] != 3 * (1023 - i);
  std::printf("all: %s, %d wrong\n", cudaGetErrorName(cudaGetLastError()), wrong);
  cudaFree(in), cudaFree(out), cudaFree(state);
  return 0;
}
