/*---
title = "New: transpose through a shared tile"
idea = "Rows come in, columns go out; padding keeps the columns in different banks"
kernel = "transpose_tile"

[[parameter]]
name = "TILE"
title = "tile (elements)"
default = 32
min = 1
max = 32

[[parameter]]
name = "PAD"
title = "padding (elements)"
default = 0
min = 0
max = 8

[[argument]]
name = "in"
type = "float"
shape = ["rows", "cols"]

[[argument]]
name = "out"
type = "float"
shape = ["cols", "rows"]
fill = "poison"

[[argument]]
name = "rows"
title = "rows of in"
value = 256
min = 1
max = 32768

[[argument]]
name = "cols"
title = "columns of in"
value = 256
min = 1
max = 32768

[launch]
block = ["TILE", "TILE"]
grid = ["ceil_div(cols, TILE)", "ceil_div(rows, TILE)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef TILE
#define TILE 32
#endif
#ifndef PAD
#define PAD 0
#endif

__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + PAD];

  int col = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
  __syncthreads();

  // The block's place is turned as a whole; within it, x still runs along the rows of `out`.
  int out_col = blockIdx.y * TILE + threadIdx.x;
  int out_row = blockIdx.x * TILE + threadIdx.y;
  if (out_row < cols && out_col < rows) out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}
