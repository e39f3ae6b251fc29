// A row-major tile of floats, written along rows and read along columns, both by CuTe's copy.
#include <cstdio>
#include <vector>
#include <cute/tensor.hpp>
using namespace cute;

template <class Layout>
__global__ void transpose(Layout layout, const float* in, float* out) {
  __shared__ float smem[cosize_v<Layout>];
  Tensor tile = make_tensor(make_smem_ptr(smem), layout);
  Tensor from = make_tensor(make_gmem_ptr(in), make_layout(Shape<_32, _32>{}, LayoutRight{}));
  Tensor to = make_tensor(make_gmem_ptr(out), make_layout(Shape<_32, _32>{}, LayoutRight{}));
  auto rows = make_layout(Shape<_8, _32>{}, LayoutRight{});
  copy(local_partition(from, rows, threadIdx.x), local_partition(tile, rows, threadIdx.x));
  __syncthreads();
  Tensor turned = make_tensor(tile.data(), composition(layout, make_layout(Shape<_32, _32>{}, LayoutRight{})));
  copy(local_partition(turned, rows, threadIdx.x), local_partition(to, rows, threadIdx.x));
}

template <class Layout>
void run(const char* what, Layout layout) {
  std::vector<float> in(1024), out(1024);
  for (int i = 0; i < 1024; ++i) in[i] = float(i);
  float *d_in, *d_out;
  cudaMalloc(&d_in, 4096);
  cudaMalloc(&d_out, 4096);
  cudaMemcpy(d_in, in.data(), 4096, cudaMemcpyHostToDevice);
  transpose<<<1, 256>>>(layout, d_in, d_out);
  cudaMemcpy(out.data(), d_out, 4096, cudaMemcpyDeviceToHost);
  cudaFree(d_in), cudaFree(d_out);
  bool right = true;
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) right &= out[32 * y + x] == in[32 * x + y];
  printf("%s: %s\n", what, right ? "right" : "wrong");
}

int main() {
  run("plain", Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  run("padded", Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{});
}
