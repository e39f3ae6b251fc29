// Tensor maps: the driver's function found at run time, tiles turned on their way, and what it refuses.
#include <cstdio>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda_runtime.h>

namespace cde = cuda::device::experimental;
constexpr int kTile = 32;

__global__ void turn(const __grid_constant__ CUtensorMap from, int* to, int width, int height) {
  __shared__ __align__(1024) int tile[kTile * kTile];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  const int x = blockIdx.x * kTile, y = blockIdx.y * kTile;
  if (threadIdx.x == 0) init(&full, blockDim.x), cde::fence_proxy_async_shared_cta();
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &from, x, y, full);
    token = cuda::device::barrier_arrive_tx(full, 1, sizeof tile);
  } else {
    token = full.arrive();
  }
  full.wait(std::move(token));
  // Chunks of 16 bytes lie where the swizzle of 128 bytes puts them: eight rows of a column are in different banks.
  for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x) {
    const int row = i % kTile, column = i / kTile;
    const int value = tile[row * kTile + ((column / 4) ^ (row % 8)) * 4 + column % 4];
    if (y + row < height && x + column < width) to[(x + column) * height + y + row] = value;
  }
}

int main() {
  const int width = 100, height = 70;
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
  const auto encode = (decltype(&cuTensorMapEncodeTiled))found;
  int *from, *to, host[width * height];
  cudaMalloc(&from, sizeof host);
  cudaMalloc(&to, sizeof host);
  for (int i = 0; i < width * height; ++i) host[i] = i;
  cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
  CUtensorMap map;
  const cuuint64_t extents[] = {width, height}, strides[] = {width * sizeof(int)}, odd[] = {width * sizeof(int) + 4};
  const cuuint32_t box[] = {kTile, kTile}, wide[] = {2 * kTile, kTile}, steps[] = {1, 1};
  const auto make = [&](const cuuint64_t* pitch, const cuuint32_t* of) {
    return encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, from, extents, pitch, of, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                  CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  std::printf("odd rows: %d, a box too wide for its swizzle: %d\n", make(odd, box), make(strides, wide));
  std::printf("a map: %d\n", make(strides, box));
  turn<<<dim3((width + kTile - 1) / kTile, (height + kTile - 1) / kTile), 128>>>(map, to, width, height);
  cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int x = 0; x < width; ++x)
    for (int y = 0; y < height; ++y) wrong += host[x * height + y] != y * width + x;
  std::printf("%d wrong of %d\n", wrong, width * height);
  cudaFree(from);
  cudaFree(to);
}
