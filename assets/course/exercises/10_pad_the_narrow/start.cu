/*---
title = "A narrow tile, padded as if it were square"
idea = "A warp reads several columns at a time"
kernel = "transpose_narrow"
look_at = [
  "The load from the tile: which lanes are in one column",
  "How far apart the columns of a warp begin",
]

[[parameter]]
name = "ROWS"
title = "rows of the tile"
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
block = ["32", "ROWS"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, ROWS)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef ROWS
#define ROWS 8
#endif
#define PAD 1

__global__ void transpose_narrow(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[ROWS][32 + PAD];

  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * ROWS + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];

  __syncthreads();

  // The transposed tile has 32 rows of ROWS elements; a warp takes several of its rows.
  int t = threadIdx.y * 32 + threadIdx.x;
  int row = t / ROWS, column = t % ROWS;
  int jx = blockIdx.x * 32 + row;
  int jy = blockIdx.y * ROWS + column;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[column][row];
}
