// A map of an image's pixels: for each place of a 3 by 3 filter the copy engine brings what lies under it, and adds that
// to the result. No thread touches a pixel.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

constexpr int kChannels = 4, kWidth = 11, kHeight = 9, kImages = 2;
constexpr int kPixels = 33, kBytes = kPixels * kChannels * sizeof(int);

__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void box_sums(const __grid_constant__ CUtensorMap image, int* sums) {
  __shared__ __align__(128) int column[9][160];
  __shared__ unsigned long long arrived;
  if (threadIdx.x != 0) return;
  const int pixel = blockIdx.x * kPixels;
  const int w = pixel % kWidth - 1, h = pixel / kWidth % kHeight - 1, n = pixel / (kWidth * kHeight);
  asm volatile("mbarrier.init.shared.b64 [%0], 1;\nfence.proxy.async.shared::cta;" ::"r"(address(&arrived)) : "memory");
  asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared.b64 state, [%0], %1; }" ::"r"(address(&arrived)),
               "r"(9 * kBytes) : "memory");
  for (int place = 0; place < 9; ++place)
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" ::"r"(address(column[place])),
                 "l"(&image), "r"(address(&arrived)), "r"(0), "r"(w), "r"(h), "r"(n),
                 "h"((unsigned short)(place % 3)), "h"((unsigned short)(place / 3))
                 : "memory");
  asm volatile("{ .reg .pred p;\nWAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@p bra DONE;\nbra WAIT;\nDONE: }" ::
               "r"(address(&arrived)) : "memory");
  for (int place = 0; place < 9; ++place)
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(
                     sums + pixel * kChannels),
                 "r"(address(column[place])), "r"(kBytes)
                 : "memory");
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}

int main() {
  constexpr int kCount = kImages * kHeight * kWidth * kChannels;
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &found, 12000, cudaEnableDefault, &result);
  const auto encode = (decltype(&cuTensorMapEncodeIm2col))found;
  int *image, *sums, host[kCount], back[kCount];
  cudaMalloc(&image, sizeof host);
  cudaMalloc(&sums, sizeof host);
  cudaMemset(sums, 0, sizeof host);
  for (int i = 0; i < kCount; ++i) host[i] = i * 7 % 100;
  cudaMemcpy(image, host, sizeof host, cudaMemcpyHostToDevice);
  CUtensorMap map;
  const cuuint64_t extents[] = {kChannels, kWidth, kHeight, kImages};
  const cuuint64_t strides[] = {16, 16 * kWidth, 16 * kWidth * kHeight};
  const int lower[] = {-1, -1}, upper[] = {-1, -1};
  const cuuint32_t steps[] = {1, 1, 1, 1};
  std::printf("a map: %d\n",
              encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, image, extents, strides, lower, upper, kChannels, kPixels,
                     steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  box_sums<<<kImages * kHeight * kWidth / kPixels, 32>>>(map, sums);
  cudaMemcpy(back, sums, sizeof back, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) {
    const int c = i % kChannels, x = i / kChannels % kWidth, y = i / kChannels / kWidth % kHeight,
              n = i / kChannels / kWidth / kHeight;
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        if (x + dx >= 0 && x + dx < kWidth && y + dy >= 0 && y + dy < kHeight)
          sum += host[((n * kHeight + y + dy) * kWidth + x + dx) * kChannels + c];
    wrong += back[i] != sum;
  }
  std::printf("%s, %d wrong of %d\n", cudaGetErrorString(cudaDeviceSynchronize()), wrong, kCount);
  cudaFree(image);
  cudaFree(sums);
}
