// A half tile whose columns lie together (M-major), read by ldmatrix.trans.
#include <cstdio>
#include <vector>
#include <cute/tensor.hpp>
using namespace cute;

template <class Layout, class Copy, class Mma>
__global__ void read_tile(Layout layout, Copy copy_a, Mma mma, const half_t* in, unsigned* out) {
  __shared__ __align__(128) half_t smem[cosize_v<Layout>];
  Tensor tile = make_tensor(make_smem_ptr(smem), layout);
  for (int i = threadIdx.x; i < size(tile); i += blockDim.x)
    tile(i % size<0>(tile), i / size<0>(tile)) = in[i];
  __syncthreads();
  auto thread_mma = mma.get_slice(threadIdx.x);
  auto thread_copy = copy_a.get_slice(threadIdx.x);
  Tensor fragment = thread_mma.partition_fragment_A(tile);
  Tensor from = thread_copy.partition_S(tile);
  Tensor to = thread_copy.retile_D(fragment);
  copy(copy_a, from, to);
  unsigned sum = 0;
  for (int i = 0; i < size(fragment); ++i) sum += unsigned(float(fragment(i)));
  out[threadIdx.x] = sum;
}

template <class Layout>
void run(const char* what, Layout layout) {
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, cute::Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  auto copy_a = make_tiled_copy_A(Copy_Atom<SM75_U16x8_LDSM_T, half_t>{}, mma);
  std::vector<half_t> in(size(layout));
  unsigned want = 0;
  for (int i = 0; i < size(layout); ++i) in[i] = half_t(float(i % 61)), want += i % 61;
  half_t* d_in;
  unsigned* d_out;
  cudaMalloc(&d_in, in.size() * 2);
  cudaMalloc(&d_out, 128 * 4);
  cudaMemcpy(d_in, in.data(), in.size() * 2, cudaMemcpyHostToDevice);
  read_tile<<<1, 128>>>(layout, copy_a, mma, d_in, d_out);
  std::vector<unsigned> out(128);
  cudaMemcpy(out.data(), d_out, 512, cudaMemcpyDeviceToHost);
  cudaFree(d_in), cudaFree(d_out);
  unsigned sum = 0;
  for (unsigned v : out) sum += v;
  // Two warps along N read the same rows of A.
  printf("%s: %s\n", what, sum == 2 * want ? "right" : "wrong");
}

int main() {
  auto plain = Layout<Shape<_128, _8>, Stride<_1, _128>>{};
  run("plain", tile_to_shape(plain, Shape<_128, _32>{}));
  run("swizzled", tile_to_shape(composition(Swizzle<3, 3, 4>{}, plain), Shape<_128, _32>{}));
}
