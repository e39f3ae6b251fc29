// Rows with a pitch: every row begins at an address that suits the memory, whatever its width.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void negate_rows(float* image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch);
  row[x] = -row[x];
}

int main() {
  constexpr int width = 33, height = 20;
  static float image[height][width], part[4][5];
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image[y][x] = float(100 * y + x);

  float* device = nullptr;
  size_t pitch = 0;
  if (cudaMallocPitch(&device, &pitch, width * sizeof(float), height) != cudaSuccess) return 1;
  std::printf("rows of %zu bytes, %s\n", width * sizeof(float),
              pitch >= width * sizeof(float) && pitch % 32 == 0 ? "pitched" : "not pitched");
  cudaMemset2D(device, pitch, 0, pitch, height);
  cudaMemcpy2D(device, pitch, image, sizeof image[0], sizeof image[0], height,
               cudaMemcpyHostToDevice);
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  negate_rows<<<grid, block>>>(device, pitch, width, height);

  // A window of 5 x 4 elements whose first is row 10, column 20.
  const char* corner = reinterpret_cast<const char*>(device) + 10 * pitch + 20 * sizeof(float);
  cudaMemcpy2D(part, sizeof part[0], corner, pitch, sizeof part[0], 4, cudaMemcpyDeviceToHost);
  for (const auto& row : part)
    std::printf("%g %g %g %g %g\n", row[0], row[1], row[2], row[3], row[4]);
  return cudaFree(device);
}
