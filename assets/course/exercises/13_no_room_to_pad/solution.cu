/*---
title = "A tile with no room"
idea = "The tile is full, and its columns lie in one bank each"
kernel = "transpose_tight"
look_at = [
  "The load from the tile",
  "The tile drawn over its banks: each row is one row of banks",
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
value = 128
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 96
min = 1
max = 32768

[launch]
block = ["32", "4"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose_tight(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][32];

  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 4) {
    int row = threadIdx.y + j;
    if (ix < nx && iy + j < ny) tile[row][threadIdx.x ^ row] = in[(iy + j) * nx + ix];
  }

  __syncthreads();

  int jx = blockIdx.x * 32 + threadIdx.y;
  int jy = blockIdx.y * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 4) {
    int column = threadIdx.y + j;
    if (jx + j < nx && jy < ny) out[(jx + j) * ny + jy] = tile[threadIdx.x][column ^ threadIdx.x];
  }
}
