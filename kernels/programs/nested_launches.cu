// Launches by device code: a grid that launches itself smaller, a template's kernel with a stream of its own, memory
// that device code allocates for the grid that it launches. What was launched runs when who launched it has ended.
#include <cstdio>

template <class T>
__global__ void doubled(T* values, int from) {
  values[from + threadIdx.x] *= 2;
}

__device__ void double_half(float* values, int count, cudaStream_t stream) {
  doubled<float><<<1, count / 2, 0, stream>>>(values, count / 2);
}

__global__ void halves(int depth, float* values, int count) {
  if (threadIdx.x != 0) return;
  printf("depth %d: %d values, the last is %g\n", depth, count, values[count - 1]);
  if (count < 8) return;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  double_half(values, count, stream);
  cudaStreamDestroy(stream);
  halves<<<1, dim3(32)>>>(depth + 1, values, count / 2);
  if (cudaGetLastError() != cudaSuccess) printf("not launched\n");
}

__global__ void sum_and_free(int* from, int* to) {
  *to = from[0] + from[1] + from[2];
  cudaFree(from);
}

__global__ void hand_over(int* to) {
  int* numbers;
  if (cudaMalloc(&numbers, 3 * sizeof *numbers) != cudaSuccess) return;
  for (int i = 0; i < 3; ++i) numbers[i] = i + 1;
  sum_and_free<<<1, 1>>>(numbers, to);
}

int main() {
  constexpr int kCount = 32;
  float* values;
  int* sum;
  cudaMallocManaged(&values, kCount * sizeof *values);
  cudaMallocManaged(&sum, sizeof *sum);
  for (int i = 0; i < kCount; ++i) values[i] = 1;
  halves<<<1, 32>>>(0, values, kCount);
  hand_over<<<1, 1>>>(sum);
  cudaDeviceSynchronize();
  for (int i = 0; i < kCount; i += 4) printf("%g ", values[i]);
  printf("| %d\n", *sum);
  cudaFree(values);
  cudaFree(sum);
}
