// What lies beyond a buffer, but in memory that the device has, is asked for like anything else: it is told,
// reads as 0, and its sectors count as on a GPU.
#include <cstdio>

__global__ void mean(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i - 8] + in[i + 8];
}

int main() {
  const int n = 1 << 16;
  float *in, *out, last;
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&in, n * sizeof(float));
  mean<<<n / 256, 256>>>(in, out);
  cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  printf("%s %g\n", cudaGetErrorName(cudaGetLastError()), last);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
