// Host code as it comes: threads with streams of their own, exceptions, containers, clocks.
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

class CudaError : public std::runtime_error {
 public:
  explicit CudaError(cudaError_t code) : std::runtime_error(cudaGetErrorString(code)) {}
};
void check(cudaError_t code) {
  if (code != cudaSuccess) throw CudaError(code);
}

struct Free {
  void operator()(int* memory) const { cudaFree(memory); }
};
std::unique_ptr<int, Free> allocate(size_t count) {
  int* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(int)));
  return std::unique_ptr<int, Free>(memory);
}

__global__ void square(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i * i;
}

long long sum_of_squares(int n) {
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  const auto memory = allocate(n);
  square<<<(n + 127) / 128, 128, 0, stream>>>(memory.get(), n);
  std::vector<int> host(n);
  check(cudaMemcpyAsync(host.data(), memory.get(), n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaStreamDestroy(stream));
  long long sum = 0;
  for (int value : host) sum += value;
  return sum;
}

int main() {
  const auto start = std::chrono::steady_clock::now();
  std::map<std::string, long long> sums;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int n : {10, 100, 1000})
    threads.emplace_back([&, n] {
      const long long sum = sum_of_squares(n);
      const std::lock_guard<std::mutex> lock(mutex);
      sums["up to " + std::to_string(n)] = sum;
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& [name, sum] : sums) std::cout << name << ": " << sum << '\n';
  try {
    allocate(size_t{1} << 60);
  } catch (const CudaError& error) {
    std::cout << "caught: " << error.what() << '\n';
  }
  const auto passed = std::chrono::steady_clock::now() - start;
  std::cout << (passed > std::chrono::nanoseconds(0) ? "time passed" : "no time passed") << std::endl;
}
