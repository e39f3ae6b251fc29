// Thrust's vectors: memory that frees itself, and copies between host and device.
#include <cstdio>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>

__global__ void twice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  thrust::host_vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = float(i);
  thrust::device_vector<float> in = host, out(n, -1.0f);
  in[3] = 100;
  twice<<<n / 64, 64>>>(thrust::raw_pointer_cast(in.data()), out.data().get(), n);
  host = out;
  printf("%g %g %g %g\n", host[0], host[3], host[255], float(out[10]));

  thrust::device_vector<float> copy = out;
  copy.resize(300, 7);
  copy.push_back(8);
  thrust::fill(copy.begin(), copy.begin() + 2, 5.0f);
  thrust::host_vector<float> part(4);
  thrust::copy(copy.begin(), copy.begin() + 4, part.begin());
  printf("%zu %g %g %g %g %g\n", copy.size(), part[0], part[2], float(copy[299]), float(copy.back()), float(out[0]));

  thrust::device_vector<int> empty;
  thrust::device_vector<double> wider(part.begin(), part.end());
  printf("%d %g\n", int(empty.empty()), double(wider[3]));
}
