/*---
title = "A swizzle that the reader forgets"
idea = "Elements are stored in places c ^ r and looked for in places c"
source = "A mistake often seen in first kernels"
kernel = "transpose_forgotten"
look_at = ["What is found at the places that are read"]

[[parameter]]
name = "TILE"
title = "tile (and block)"
default = 32
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
block = ["TILE", "TILE"]
grid = ["ceil_div(nx, TILE)", "ceil_div(ny, TILE)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef TILE
#define TILE 32
#endif

__global__ void transpose_forgotten(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[TILE][TILE];
  int ix = blockIdx.x * TILE + threadIdx.x;
  int iy = blockIdx.y * TILE + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[iy * nx + ix];

  __syncthreads();

  int jx = blockIdx.x * TILE + threadIdx.y;
  int jy = blockIdx.y * TILE + threadIdx.x;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x][threadIdx.y];
}
