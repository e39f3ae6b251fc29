// Tensors of every kind that names memory, each printed by CuTe itself: tiles that are padded, column-major, paged,
// swizzled by offset and by pointer, and matrices whose extents and strides the launch gives.
#include <cstdio>
#include <cute/tensor.hpp>
using namespace cute;

struct Tiles {
  alignas(1024) half_t rows[128 * 64 * 2];
  alignas(1024) half_t columns[64 * 32];
  alignas(1024) half_t by_pointer[64 * 64];
  alignas(1024) float padded[32 * 33];
};

template <class Swizzled, class ByPointer>
__global__ void fill(Swizzled rows_layout, ByPointer pointer_layout, int m, int n, float const* A, float* C) {
  extern __shared__ char memory[];
  Tiles& tiles = *reinterpret_cast<Tiles*>(memory);
  Tensor sRows = make_tensor(make_smem_ptr(tiles.rows), rows_layout);
  Tensor sColumns = make_tensor(make_smem_ptr(tiles.columns), make_layout(Shape<_64, _32>{}));
  Tensor sPointer = make_tensor(make_smem_ptr(tiles.by_pointer), pointer_layout);
  Tensor sPadded = make_tensor(make_smem_ptr(tiles.padded), Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{});
  Tensor mA = make_tensor(make_gmem_ptr(A), make_shape(m, n), make_stride(n, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(C), make_shape(m, n), make_stride(_1{}, m));
  Tensor gA = local_tile(mA, Shape<_32, _32>{}, make_coord(blockIdx.x, _));
  for (int i = threadIdx.x; i < size(sRows); i += blockDim.x) sRows(i) = half_t(float(i % 7));
  for (int i = threadIdx.x; i < size(sColumns); i += blockDim.x) sColumns(i) = half_t(float(i % 5));
  for (int i = threadIdx.x; i < size(sPointer); i += blockDim.x) sPointer(i) = half_t(float(i % 3));
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) sPadded(i / 32, i % 32) = gA(i / 32, i % 32, 0);
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    mC(i / 32, i % 32) = sPadded(i % 32, i / 32) + float(sRows(i)) + float(sColumns(i)) + float(sPointer(i));
  if (threadIdx.x != 0) return;
  print("sRows "), print(sRows.layout()), print("\n");
  print("sColumns "), print(sColumns.layout()), print("\n");
  print("sPointer "), print(sPointer), print("\n");
  print("sPadded "), print(sPadded.layout()), print("\n");
  print("mA "), print(mA.layout()), print("\n");
  print("mC "), print(mC.layout()), print("\n");
  print("gA "), print(gA.layout()), print("\n");
}

int main() {
  const int m = 64, n = 96;
  float *A, *C;
  cudaMalloc(&A, m * n * 4);
  cudaMalloc(&C, m * n * 4);
  cudaMemset(A, 0, m * n * 4);
  auto atom = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  auto rows = tile_to_shape(atom, Shape<_128, _64, _2>{});
  auto by_pointer = composition(Swizzle<3, 4, 3>{}, smem_ptr_flag_bits<16>{},
                                Layout<Shape<_64, Shape<_8, _8>>, Stride<_64, Stride<_1, _8>>>{});
  auto kernel = fill<decltype(rows), decltype(by_pointer)>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Tiles)));
  kernel<<<1, 128, sizeof(Tiles)>>>(rows, by_pointer, m, n, A, C);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(A), cudaFree(C);
}
