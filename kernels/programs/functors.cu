// Templates, and arguments that are structures: functors given by value, with what they carry.
#include <cstdio>
#include <cuda_runtime.h>

template <class T>
struct Span {
  T* data;
  int count;
  __host__ __device__ T& operator[](int i) const { return data[i]; }
};

struct Affine {
  float factor, offset;
  __host__ __device__ float operator()(float x) const { return factor * x + offset; }
};

template <int Power>
struct PowerOf {
  template <class T>
  __host__ __device__ T operator()(T x) const {
    T result = 1;
    for (int i = 0; i < Power; ++i) result *= x;
    return result;
  }
};

template <class T, class Function>
__global__ void transform(Span<const T> in, Span<T> out, Function function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < in.count) out[i] = function(in[i]);
}

template <class T, class Function>
void apply(const char* name, Function function) {
  const int n = 10;
  T host[n], *in, *out;
  for (int i = 0; i < n; ++i) host[i] = T(i);
  cudaMalloc(&in, sizeof host), cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  transform<T><<<1, 32>>>(Span<const T>{in, n}, Span<T>{out, n}, function);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s: %g, on the host %g\n", name, double(host[9]), double(function(T(9))));
  cudaFree(in), cudaFree(out);
}

int main() {
  apply<float>("affine", Affine{2, 0.5f});
  apply<long long>("cube", PowerOf<3>{});
  apply<double>("fourth power", PowerOf<4>{});
  return cudaGetLastError();
}
