// Arguments of the command line, numbers from standard input, and a status that says how it went.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

__global__ void scale(int* values, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

int main(int count, char** words) {
  if (count != 3 || std::strcmp(words[1], "--factor") != 0) {
    std::cerr << "usage: " << words[0] << " --factor N\n";
    return 2;
  }
  const int factor = std::atoi(words[2]);
  std::vector<int> values;
  for (int value; std::cin >> value;) values.push_back(value);
  const size_t bytes = values.size() * sizeof(int);
  int* device = nullptr;
  cudaMalloc(&device, bytes);
  cudaMemcpy(device, values.data(), bytes, cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(device, int(values.size()), factor);
  cudaMemcpy(values.data(), device, bytes, cudaMemcpyDeviceToHost);
  for (int value : values) std::cout << value << ' ';
  std::cout << std::endl;
  cudaFree(device);
  return int(values.size());
}
