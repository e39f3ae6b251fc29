/*---
title = "Indices exchanged in a block that is not square"
idea = "threadIdx.x as the row of the tile: the block is wider than the tile is high"
source = "A mistake often seen in first kernels"
kernel = "transpose_swapped"
look_at = ["Lanes whose number is no row of the tile"]

[[parameter]]
name = "BDIMX"
title = "block x"
default = 32
min = 1
max = 32

[[parameter]]
name = "BDIMY"
title = "block y"
default = 8
min = 1
max = 32

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
block = ["BDIMX", "BDIMY"]
grid = ["ceil_div(nx, BDIMX)", "ceil_div(ny, BDIMY)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef BDIMX
#define BDIMX 32
#endif
#ifndef BDIMY
#define BDIMY 8
#endif

__global__ void transpose_swapped(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[BDIMY][BDIMX + 1];
  int ix = blockIdx.x * BDIMX + threadIdx.x;
  int iy = blockIdx.y * BDIMY + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];

  __syncthreads();

  int jx = blockIdx.x * BDIMX + threadIdx.y;
  int jy = blockIdx.y * BDIMY + threadIdx.x;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x][threadIdx.y];
}
