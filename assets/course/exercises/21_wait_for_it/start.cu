/*---
title = "A copy under way"
idea = "Asked for, and not waited for"
kernel = "transpose_async"
look_at = [
  "What the load from the tile finds",
  "When a copy has arrived",
]

[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["nx", "ny"]
fill = "poison"

[[argument]]
name = "nx"
title = "columns of in"
value = 64
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 48
min = 1
max = 32768

[launch]
block = ["16", "16"]
grid = ["ceil_div(nx, 16)", "ceil_div(ny, 16)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#include <cuda_pipeline.h>

__global__ void transpose_async(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[16][17];

  int ix = blockIdx.x * 16 + threadIdx.x;
  int iy = blockIdx.y * 16 + threadIdx.y;
  if (ix < nx && iy < ny)
    __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &in[iy * nx + ix], sizeof(float));
  __pipeline_commit();

  __syncthreads();

  int jx = blockIdx.x * 16 + threadIdx.y;
  int jy = blockIdx.y * 16 + threadIdx.x;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x][threadIdx.y];
}
