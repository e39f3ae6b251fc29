// Memory of three dimensions: allocated with a pitch, copied whole and in part.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kWidth = 10, kHeight = 6, kDepth = 4;

__global__ void add_depth(cudaPitchedPtr volume) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  char* slice = static_cast<char*>(volume.ptr) + z * volume.pitch * volume.ysize;
  int* row = reinterpret_cast<int*>(slice + y * volume.pitch);
  row[x] += 1000 * z;
}

int main() {
  static int whole[kDepth][kHeight][kWidth], part[2][2][3];
  for (int i = 0; i < kDepth * kHeight * kWidth; ++i) (&whole[0][0][0])[i] = i;
  cudaPitchedPtr volume;
  const cudaExtent extent = make_cudaExtent(kWidth * sizeof(int), kHeight, kDepth);
  if (cudaMalloc3D(&volume, extent) != cudaSuccess) return 1;
  cudaMemset3D(volume, 0, extent);

  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(whole, kWidth * sizeof(int), kWidth, kHeight);
  in.dstPtr = volume;
  in.extent = extent;
  in.kind = cudaMemcpyHostToDevice;
  if (cudaMemcpy3D(&in) != cudaSuccess) return 2;
  add_depth<<<kDepth, dim3(kWidth, kHeight)>>>(volume);

  // 3 x 2 x 2 elements from column 4, row 1, slice 2.
  cudaMemcpy3DParms out = {};
  out.srcPtr = volume;
  out.srcPos = make_cudaPos(4 * sizeof(int), 1, 2);
  out.dstPtr = make_cudaPitchedPtr(part, 3 * sizeof(int), 3, 2);
  out.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
  out.kind = cudaMemcpyDeviceToHost;
  if (cudaMemcpy3D(&out) != cudaSuccess) return 3;
  for (const auto& slice : part)
    for (const auto& row : slice) std::printf("%d %d %d\n", row[0], row[1], row[2]);
  return cudaFree(volume.ptr);
}
