// A C++ text that no CUDA compiler reads: the runtime's types, its templates and OpenMP's functions by their headers.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <omp.h>

#include <cstdio>
#include <fstream>
#include <vector>

void scale(float4* values, int count, float factor);

static void CUDART_CB tell(cudaStream_t, cudaError_t error, void* what) {
  printf("%s: %s\n", static_cast<const char*>(what), cudaGetErrorString(error));
}

bool can_make_noise();

int main() {
#ifdef __CUDACC__
  printf("this text is for the host's own compiler\n");
#endif
  // By these, helpers of NVIDIA's samples know what they may use.
#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__)
  printf("the runtime's headers cannot be told\n");
#endif
  const int count = 100;
  std::vector<float4> values(count, make_float4(1, 2, 3, __half2float(__float2half(4.5f))));
  float4* on_device = nullptr;
  cudaMalloc(&on_device, count * sizeof(float4));
  cudaMemcpy(on_device, values.data(), count * sizeof(float4), cudaMemcpyHostToDevice);
  scale(on_device, count, 2);
  cudaStreamAddCallback(0, tell, const_cast<char*>("scaled"), 0);
  cudaMemcpy(values.data(), on_device, count * sizeof(float4), cudaMemcpyDeviceToHost);
  cudaFree(on_device);

  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  const dim3 grid(3, 4);
  int threads = 0;
#pragma omp parallel for reduction(+ : threads)
  for (int i = 0; i < omp_get_num_threads(); ++i) threads += omp_get_max_threads();
  printf("%g %g, warps of %d, a grid of %u, %d thread\n", values[99].x, values[99].w,
         properties.warpSize, grid.x * grid.y * grid.z, threads);

  // What a program writes beside itself it can read again, though nothing of it stays.
  std::ofstream("values.txt") << values[0].y << '\n';
  float back = 0;
  std::ifstream("values.txt") >> back;
  printf("%g\n", back);
  return can_make_noise() ? 0 : 1;
}
