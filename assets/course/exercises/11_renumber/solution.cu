/*---
title = "A wide block"
idea = "Thirty-two threads wide, eight high: exchanging x and y does not fit"
kernel = "transpose_wide"
look_at = [
  "The store: one word of each sector",
  "How long a row of the transposed tile is",
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
value = 64
min = 1
max = 32768

[launch]
block = ["32", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 8)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose_wide(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[8][32 + 4];

  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 8 + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];

  __syncthreads();

  int t = threadIdx.y * 32 + threadIdx.x;
  int row = t / 8;     // of the transposed tile, which has 32 rows
  int column = t % 8;  // of eight elements
  int jx = blockIdx.x * 32 + row;
  int jy = blockIdx.y * 8 + column;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[column][row];
}
