// Numbers of 16 bits, of both kinds, converted on either side and computed with on the device.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void axpy(__half a, const __half* x, __half* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(a, x[i], y[i]);
}
__global__ void axpy_pairs(__half2 a, const __half2* x, __half2* y, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) y[i] = __hfma2(a, x[i], y[i]);
}
__global__ void halve(__nv_bfloat16* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * __float2bfloat16(0.5f);
}

int main() {
  const int n = 128;
  __half x[n], y[n], *device_x, *device_y;
  for (int i = 0; i < n; ++i) x[i] = __float2half(float(i)), y[i] = __float2half(1.0f);
  cudaMalloc(&device_x, sizeof x), cudaMalloc(&device_y, sizeof y);
  cudaMemcpy(device_x, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y, sizeof y, cudaMemcpyHostToDevice);
  axpy<<<1, n>>>(__float2half(2.0f), device_x, device_y, n);
  axpy_pairs<<<1, n / 2>>>(__float2half2_rn(0.5f), reinterpret_cast<__half2*>(device_x),
                           reinterpret_cast<__half2*>(device_y), n / 2);
  cudaMemcpy(y, device_y, sizeof y, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g\n", __half2float(y[0]), __half2float(y[2]), __half2float(y[127]));

  // 7 bits of fraction: 259 is between two numbers of this kind.
  __nv_bfloat16 values[2] = {__float2bfloat16(259.0f), __float2bfloat16(-3.0f)}, *device;
  cudaMalloc(&device, sizeof values);
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  halve<<<1, 32>>>(device, 2);
  cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", __bfloat162float(values[0]), __bfloat162float(values[1]));
  cudaFree(device_x), cudaFree(device_y), cudaFree(device);
  return cudaGetLastError();
}
