/*---
title = "A tile that does not help"
idea = "Through shared memory and out again as it came"
kernel = "transpose_tile"
look_at = [
  "The store to out: sectors",
  "What the tile is read for",
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
block = ["32", "32"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose_tile(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][32];

  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 32 + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];

  __syncthreads();

  // The same block of the matrix, with the threads' roles exchanged inside it.
  int jx = blockIdx.x * 32 + threadIdx.y;
  int jy = blockIdx.y * 32 + threadIdx.x;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x][threadIdx.y];
}
