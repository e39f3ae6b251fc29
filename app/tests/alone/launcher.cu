// A template that only its own launchers name: what they are called with is what runs.
#include <vector>

template <class T, int BLOCK>
__global__ void scale(T* data, T factor, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) data[i] *= factor;
}

template <class T, int BLOCK = 128>
void launch(T* data, T factor, int n) {
  const int blocks = (n + BLOCK - 1) / BLOCK;
  scale<T, BLOCK><<<blocks, BLOCK>>>(data, factor, n);
}

void twice(double* data, int n) { launch<double>(data, 2.0, n); }
void half(float* data, int n) { launch<float, 64>(data, 0.5f, n); }
