/*---
title = "The tile is turned, the block is not, corrected"
idea = "Block x becomes the block row of out, and block y its block column"
source = "A mistake often seen in first kernels"
kernel = "transpose"
look_at = ["Compare with the broken twin"]

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
value = 64
min = 1
max = 32768

[launch]
block = ["32", "32"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]
shared = "0"

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][33];
  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 32 + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];

  __syncthreads();

  int jx = blockIdx.x * 32 + threadIdx.y;
  int jy = blockIdx.y * 32 + threadIdx.x;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x][threadIdx.y];
}
