// One pointer for host and device: the host writes, a kernel reads and writes, the host reads.
#include <cstdio>
#include <cuda_runtime.h>

struct Particle {
  float position, speed;
};

__global__ void move(Particle* particles, int n, float seconds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[i].position += seconds * particles[i].speed;
}

int main() {
  const int n = 64;
  Particle* particles = nullptr;
  if (cudaMallocManaged(&particles, n * sizeof(Particle)) != cudaSuccess) return 1;
  for (int i = 0; i < n; ++i) particles[i] = {float(i), 0.5f};
  int device = 0;
  cudaGetDevice(&device);
#if CUDART_VERSION >= 13000
  const cudaMemLocation location{cudaMemLocationTypeDevice, device};
  cudaMemPrefetchAsync(particles, n * sizeof(Particle), location, 0);
#else
  const int location = device;
  cudaMemPrefetchAsync(particles, n * sizeof(Particle), location);
#endif
  cudaMemAdvise(particles, n * sizeof(Particle), cudaMemAdviseSetPreferredLocation, location);
  for (int step = 0; step < 3; ++step) move<<<1, n>>>(particles, n, 2.0f);
  cudaDeviceSynchronize();
  std::printf("%g %g %g\n", particles[0].position, particles[1].position, particles[63].position);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, particles);
  std::printf("%s\n", attributes.type == cudaMemoryTypeManaged ? "managed" : "not managed");
  return cudaFree(particles);
}
