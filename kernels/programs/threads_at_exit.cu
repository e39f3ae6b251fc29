// main() returns while a thread of its own still calls the runtime: that is no crash.
#include <atomic>
#include <cstdio>
#include <thread>

__global__ void count(int* n) { atomicAdd(n, 1); }

std::atomic<int> launches{0}, rounds{0};

void work() {
  int* n;
  cudaMalloc(&n, sizeof(int));
  cudaMemset(n, 0, sizeof(int));
  count<<<1, 32>>>(n);
  ++launches;
  for (;;) {
    ++rounds;
    void* more;
    cudaMalloc(&more, 256);
    cudaFree(more);
  }
}

int main() {
  for (int i = 0; i < 4; ++i) std::thread(work).detach();
  while (launches < 4 || rounds < 400) std::this_thread::yield();
  printf("done\n");
}
