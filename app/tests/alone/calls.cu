// Launches that no <<<>>> shows: calls of the runtime, and kernels behind variables.
#include <cooperative_groups.h>

template <class T, int BLOCK>
__global__ void scale(T* data, T factor, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) data[i] *= factor;
}

__global__ void shift(const float* in, float* out, int by) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x + by];
}

__global__ void total(float* data, int n) {
  cooperative_groups::this_grid().sync();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

__global__ void fill(float* data, float value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }

void by_call(const float* in, float* out) {
  int by = 3;
  void* arguments[] = {(void*)&in, &out, &by};
  cudaLaunchKernel((const void*)shift, dim3(5), dim3(96), arguments, 0, 0);
}

void together(float* data) {
  int n = 640;
  dim3 grid(10), block(64);
  void* arguments[] = {&data, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(&total), grid, block, arguments);
}

void configured(float* data) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 6;
  config.blockDim = dim3(32, 2);
  cudaLaunchKernelEx(&config, fill, data, 7.0f);
}

void by_variable(double* data) {
  constexpr int kThreads = 128;
  auto kernel = &scale<double, kThreads>;
  kernel<<<3, kThreads>>>(data, 2.0, 384);
}
