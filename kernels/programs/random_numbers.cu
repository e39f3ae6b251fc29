// Random numbers: a state for each thread on the device, and a generator that the host calls.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>

__global__ void throw_darts(unsigned long long seed, int throws, unsigned* inside) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(seed, i, 0, &state);
  unsigned hits = 0;
  for (int k = 0; k < throws; ++k) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    hits += x * x + y * y <= 1.0f;
  }
  atomicAdd(inside, hits);
}

int main() {
  const int threads = 256, throws = 100;
  unsigned *inside, hits = 0;
  cudaMalloc(&inside, sizeof hits);
  cudaMemset(inside, 0, sizeof hits);
  throw_darts<<<2, threads / 2>>>(1234, throws, inside);
  cudaMemcpy(&hits, inside, sizeof hits, cudaMemcpyDeviceToHost);
  const double pi = 4.0 * hits / (threads * throws);
  std::printf("pi is %s\n", std::fabs(pi - 3.14159) < 0.05 ? "near 3.14" : "far off");

  const int n = 10000;
  static float host[n];
  float* numbers;
  cudaMalloc(&numbers, sizeof host);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 99);
  curandGenerateNormal(generator, numbers, n, 5.0f, 2.0f);
  curandDestroyGenerator(generator);
  cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
  double sum = 0, squares = 0;
  for (float value : host) sum += value, squares += double(value) * value;
  const double mean = sum / n, deviation = std::sqrt(squares / n - mean * mean);
  std::printf("mean %.0f, deviation %.0f\n", mean, deviation);
  cudaFree(inside), cudaFree(numbers);
  return cudaGetLastError();
}
